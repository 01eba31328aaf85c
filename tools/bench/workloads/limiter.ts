import { outputOf } from '../../host';
import type { Fault } from '../../sandbox/types';
import { Bench, nodeTime } from '../bench';
import { smsWorkflow } from '../sms';
import { measuredNode, smsNode, titles, type Way } from '../ways';
import type { Workload } from '../workload';

const columns = ["÷ the limit's own time", 'not sent', 'unknown', 'requests per item'] as const;
type Figures = Record<(typeof columns)[number], number>;

interface LimiterCase {
	limit: string;
	/** The service's answer beyond its limit. */
	fault: Fault;
}

const messages = 60;
const perSecond = 5;
/** The time that the limit alone requires, in s: after a pause, the service takes a second's messages at once. */
const least = (messages - perSecond) / perSecond;

const targets: Figures = {
	"÷ the limit's own time": 1.3,
	'not sent': 0,
	unknown: 0,
	'requests per item': 1.2,
};

const limiterCases: LimiterCase[] = [
	{ limit: '5 a second', fault: { tooMany: true } },
	{ limit: '5 a second, Retry-After', fault: { tooMany: true, retryAfter: 1 } },
];

export const limiter: Workload = {
	name: 'limiter',
	title: 'SMS to a service with a limit',
	text: '60 SMS to a service that accepts 5 requests a second, and as many at once after a pause (a token bucket). It answers all other requests with 429, with or without `Retry-After: 1`. *On Error* is *Continue*, each run has a new account, and nothing was sent twice. `test/unit/send/pace.test.ts` measures services with other limits, without n8n, in virtual time.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const measured = [];
			for (const each of setup.quick ? limiterCases.slice(0, 1) : limiterCases) {
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
					.flatMap(({ limit: service, figures }) =>
						columns.map((name) => ({
							what: `${service}: ${name}`,
							limit: targets[name],
							measured: figures[name],
						})),
					),
			};
		}),
};

const format = (figure: number) => (Number.isInteger(figure) ? String(figure) : figure.toFixed(2));

async function sendLimited(bench: Bench, way: Way, { limit, fault }: LimiterCase) {
	const { client } = bench.sandbox;
	const account = await bench.newAccount([{ perSecond, fault }]);
	const node = { ...smsNode(way, account), onError: 'continueRegularOutput' as const };
	const id = await bench.host.client.createWorkflow(smsWorkflow(messages, node));
	const execution = await bench.run(id);
	const output = outputOf(execution, measuredNode);
	const accepted = await client.accepted();
	const sent = new Set(accepted.map(({ to }) => to)).size;
	if (accepted.length > sent || output.length !== messages) {
		const counts = `${accepted.length} accepted, ${sent} of them different, ${output.length} out`;
		throw new Error(`${way}, ${limit}: ${counts}`);
	}
	const unknown = output.filter(({ json }) => /may have been sent/.test(JSON.stringify(json)));
	const seconds = nodeTime(execution, measuredNode) / 1000;
	const figures: Figures = {
		"÷ the limit's own time": sent === messages ? seconds / least : NaN,
		'not sent': messages - sent,
		unknown: way === 'package' ? unknown.length : NaN,
		'requests per item': (await client.requests()).length / messages,
	};
	return { seconds, figures };
}
