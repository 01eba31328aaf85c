import { outputOf } from '../../host';
import type { FaultRule } from '../../sandbox/types';
import { Bench, nodeTime } from '../bench';
import { smsWorkflow } from '../sms';
import { measuredNode, smsNode, titles, type Way } from '../ways';
import type { Target, Workload } from '../workload';

interface Case {
	limit: string;
	count: number;
	rule: FaultRule;
	delayMs?: number;
	/** Time that the limit alone requires, in s. */
	least: number;
	/** Targets: outcomes that are unknown, requests per item, time ÷ the limit's own. */
	most: { unknown: number; requests?: number; time?: number };
}

const tooMany = { tooMany: true } as const;

const cases: Case[] = [
	{
		limit: '5 a second',
		count: 60,
		rule: { perSecond: 5, fault: tooMany },
		least: 11,
		most: { unknown: 0, requests: 1.2, time: 1.3 },
	},
	{
		limit: '5 a second, Retry-After',
		count: 60,
		rule: { perSecond: 5, fault: { ...tooMany, retryAfter: 1 } },
		least: 11,
		most: { unknown: 0, requests: 1.2, time: 1.3 },
	},
	{
		limit: '50 a second, 200 ms an answer',
		count: 500,
		rule: { perSecond: 50, fault: tooMany },
		delayMs: 200,
		least: 9,
		most: { unknown: 0, requests: 1.2 },
	},
	{
		limit: '30 at a time, 200 ms an answer',
		count: 1000,
		rule: { parallel: 30, fault: tooMany },
		delayMs: 200,
		least: 6.8,
		most: { unknown: 0, requests: 1.2 },
	},
	{
		limit: '30 at a time, else a reset connection, 200 ms an answer',
		count: 1000,
		rule: { parallel: 30, fault: { reset: 'beforeAccept' } },
		delayMs: 200,
		least: 6.8,
		most: { unknown: 4 },
	},
];

export const limiter: Workload = {
	name: 'limiter',
	title: 'SMS to a service with a limit',
	text: '60, 500 or 1,000 SMS. The service accepts a number of requests per second, and as many at once after a pause (a token bucket), or a number at a time. It answers all others with 429, with or without `Retry-After: 1`, or resets their connection. Then nobody knows whether a message was sent: the outcome is unknown, and this package does not repeat the request. *On Error: Continue*, else default options; each run has a new account. Nothing was sent twice.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const chosen = setup.quick ? cases.slice(2).map((each) => ({ ...each, count: 200 })) : cases;
			const rows: string[][] = [];
			const targets: Target[] = [];
			for (const each of chosen) {
				for (const way of ['package', 'httpRequest'] as const) {
					const { seconds, unsent, unknown, requests } = await send(bench, way, each);
					const time = seconds / each.least;
					rows.push([
						`${each.count}: ${each.limit}`,
						titles[way],
						seconds.toFixed(1),
						unsent === 0 ? time.toFixed(2) : '',
						String(unsent),
						way === 'package' ? String(unknown) : '',
						requests.toFixed(2),
					]);
					if (way !== 'package') continue;
					const measured = { 'not sent': unsent, unknown, 'requests per item': requests, time };
					const { most } = each;
					const limits = {
						'not sent': most.unknown,
						unknown: most.unknown,
						'requests per item': most.requests,
						time: most.time,
					};
					console.log(` ${each.limit}`, measured);
					for (const name of Object.keys(measured) as Array<keyof typeof measured>) {
						const limit = limits[name];
						if (limit === undefined) continue;
						const what = `${each.limit}: ${name}`;
						targets.push({ what, limit, measured: measured[name] });
					}
				}
			}
			return {
				columns: [
					'limit',
					'way',
					's',
					"÷ the limit's own time",
					'not sent',
					'unknown',
					'requests per item',
				],
				rows,
				targets,
			};
		}),
};

async function send(bench: Bench, way: Way, { limit, count, rule, delayMs }: Case) {
	const { client } = bench.sandbox;
	const account = await bench.newAccount([rule, ...(delayMs ? [{ fault: { delayMs } }] : [])]);
	const node = { ...smsNode(way, account), onError: 'continueRegularOutput' as const };
	const id = await bench.host.client.createWorkflow(smsWorkflow(count, node));
	const execution = await bench.run(id);
	const output = outputOf(execution, measuredNode);
	const accepted = await client.accepted();
	const sent = new Set(accepted.map(({ to }) => to)).size;
	if (accepted.length > sent || output.length !== count) {
		const counts = `${accepted.length} accepted, ${sent} of them different, ${output.length} out`;
		throw new Error(`${way}, ${limit}: ${counts}`);
	}
	return {
		seconds: nodeTime(execution, measuredNode) / 1000,
		unsent: count - sent,
		unknown: output.filter(({ json }) => /may have been sent/.test(JSON.stringify(json))).length,
		requests: (await client.requests()).length / count,
	};
}
