import { outputOf } from '../../host';
import type { Fault } from '../../sandbox/types';
import { Bench, nodeTime } from '../bench';
import { smsWorkflow } from '../sms';
import { measuredNode, smsNode } from '../ways';
import type { Workload } from '../workload';

/** What a service answers that takes 5 a second. */
const faults: Record<string, Fault> = {
	'5 a second': { tooMany: true },
	'5 a second, Retry-After': { tooMany: true, retryAfter: 1 },
};

const messages = 60;
const perSecond = 5;
/** The time that the limit alone requires, in s: after a pause, the service takes a second's messages at once. */
const least = (messages - perSecond) / perSecond;

const limits = {
	"÷ the limit's own time": 1.3,
	'not sent': 0,
	unknown: 0,
	'requests per item': 1.2,
};
type Figures = typeof limits;
const columns = Object.keys(limits) as Array<keyof Figures>;

export const limiter: Workload = {
	name: 'limiter',
	title: 'SMS to a service with a limit',
	text: '60 SMS to a service that accepts 5 requests a second, and as many at once after a pause (a token bucket). It answers all other requests with 429, with or without `Retry-After: 1`. *On Error* is *Continue*, each run has a new account, and nothing was sent twice. `test/unit/send/pace.test.ts` measures services with other limits, without n8n, in virtual time.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const measured = [];
			for (const [limit, fault] of Object.entries(faults))
				measured.push({ limit, ...(await sendLimited(bench, fault)) });
			return {
				columns: ['limit', 's', ...columns],
				rows: measured.map(({ limit, seconds, figures }) => [
					limit,
					seconds.toFixed(1),
					...columns.map((name) => format(figures[name])),
				]),
				targets: measured.flatMap(({ limit, figures }) =>
					columns.map((name) => ({
						what: `${limit}: ${name}`,
						limit: limits[name],
						measured: figures[name],
					})),
				),
			};
		}),
};

const format = (figure: number) => (Number.isInteger(figure) ? String(figure) : figure.toFixed(2));

async function sendLimited(bench: Bench, fault: Fault) {
	const { client } = bench.sandbox;
	const account = await bench.newAccount([{ perSecond, fault }]);
	const node = { ...smsNode('package', account), onError: 'continueRegularOutput' as const };
	const id = await bench.host.client.createWorkflow(smsWorkflow(messages, node));
	const execution = await bench.run(id);
	const output = outputOf(execution, measuredNode);
	const accepted = await client.accepted();
	const sent = new Set(accepted.map(({ to }) => to)).size;
	if (accepted.length > sent || output.length !== messages) {
		throw new Error(`${accepted.length} accepted, ${sent} of them different, ${output.length} out`);
	}
	const unknown = output.filter(({ json }) => /may have been sent/.test(JSON.stringify(json)));
	const seconds = nodeTime(execution, measuredNode) / 1000;
	const figures: Figures = {
		"÷ the limit's own time": seconds / least,
		'not sent': messages - sent,
		unknown: unknown.length,
		'requests per item': (await client.requests()).length / messages,
	};
	return { seconds, figures };
}
