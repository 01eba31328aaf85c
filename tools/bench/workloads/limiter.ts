import { outputOf } from '../../host';
import type { FaultRule } from '../../sandbox/types';
import { Bench, nodeTime } from '../bench';
import { smsWorkflow } from '../sms';
import { measuredNode, smsNode, titles, type Way } from '../ways';
import type { Workload } from '../workload';

const columns = ["÷ the limit's own time", 'not sent', 'unknown', 'requests per item'] as const;
type Figures = Record<(typeof columns)[number], number>;

interface LimiterCase {
	limit: string;
	count: number;
	/** The service's answer beyond its limit. */
	rule: FaultRule;
	delayMs?: number;
	/** Time that the limit alone requires, in s. */
	least: number;
	targets: Partial<Figures>;
}

const refusal = { tooMany: true } as const;
const targets: LimiterCase['targets'] = { 'not sent': 0, unknown: 0, 'requests per item': 1.2 };
const slow = { targets: { ...targets, "÷ the limit's own time": 1.3 }, count: 60, least: 11 };
const narrow = { count: 1000, delayMs: 200, least: 6.8 };

const limiterCases: LimiterCase[] = [
	{ limit: '5 a second', ...slow, rule: { perSecond: 5, fault: refusal } },
	{
		limit: '5 a second, Retry-After',
		...slow,
		rule: { perSecond: 5, fault: { ...refusal, retryAfter: 1 } },
	},
	{
		limit: '50 a second',
		count: 500,
		rule: { perSecond: 50, fault: refusal },
		delayMs: 200,
		least: 9,
		targets,
	},
	{ limit: '30 at a time', ...narrow, rule: { parallel: 30, fault: refusal }, targets },
	{
		limit: '30 at a time, then resets',
		...narrow,
		rule: { parallel: 30, fault: { reset: 'beforeAccept' } },
		targets: { unknown: 4 },
	},
];

export const limiter: Workload = {
	name: 'limiter',
	title: 'SMS to a service with a limit',
	text: '60 SMS to a service that accepts 5 requests a second, and as many at once after a pause (a token bucket); 500 at 50 a second; 1,000 at 30 at a time. The last two take 200 ms for an answer. The service answers all other requests with 429, with or without `Retry-After: 1`, or resets their connection. After a reset, the outcome is unknown, and this package does not repeat the request. *On Error* is *Continue*, each run has a new account, and nothing was sent twice.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const chosen = setup.quick
				? limiterCases.slice(2).map((each) => ({ ...each, count: 200 }))
				: limiterCases;
			const measured = [];
			for (const each of chosen) {
				for (const way of ['package', 'httpRequest'] as const) {
					measured.push({ ...each, way, ...(await sendLimited(bench, way, each)) });
					console.log(measured.at(-1));
				}
			}
			return {
				columns: ['limit', 'way', 's', ...columns],
				rows: measured.map(({ limit, way, seconds, figures }) => [
					limit,
					titles[way],
					seconds.toFixed(1),
					...columns.map((name) => (Number.isNaN(figures[name]) ? '' : format(figures[name]))),
				]),
				targets: measured
					.filter(({ way }) => way === 'package')
					.flatMap(({ limit: service, targets: most, figures }) =>
						columns.flatMap((name) => {
							const limit = most[name];
							if (limit === undefined) return [];
							return [{ what: `${service}: ${name}`, limit, measured: figures[name] }];
						}),
					),
			};
		}),
};

const format = (figure: number) => (Number.isInteger(figure) ? String(figure) : figure.toFixed(2));

async function sendLimited(
	bench: Bench,
	way: Way,
	{ limit, count, rule, delayMs, least }: LimiterCase,
) {
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
	const unknown = output.filter(({ json }) => /may have been sent/.test(JSON.stringify(json)));
	const seconds = nodeTime(execution, measuredNode) / 1000;
	const figures: Figures = {
		"÷ the limit's own time": sent === count ? seconds / least : NaN,
		'not sent': count - sent,
		unknown: way === 'package' ? unknown.length : NaN,
		'requests per item': (await client.requests()).length / count,
	};
	return { seconds, figures };
}
