import type { INode } from 'n8n-workflow';
import { outputOf } from '../../host';
import { Bench, nodeTime } from '../bench';
import { inRounds, spread } from '../rounds';
import { smsWorkflow, warmUp } from '../sms';
import { measuredNode, smsNode, type Way } from '../ways';
import type { Workload } from '../workload';

type Case = keyof typeof cases;

const cases = {
	'this package': { way: 'package' },
	'HTTP Request, Continue On Fail': {
		way: 'httpRequest',
		settings: { onError: 'continueRegularOutput' },
	},
	'HTTP Request, Retry On Fail': {
		way: 'httpRequest',
		settings: { retryOnFail: true },
	},
} satisfies Record<string, { way: Way; settings?: Partial<INode> }>;

const names = Object.keys(cases) as Case[];

export const busy: Workload = {
	name: 'busy',
	title: '5,000 SMS, 10 % answered 429',
	text: 'Every tenth request, repeated ones included, is answered 429 without Retry-After. The counts are those of the last round, by the ledger of the service.',
	picture: {
		columns: ['sent', 'never sent', 'sent once more'],
		stacked: 'columns',
		unit: 'messages',
	},
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 200 : 5000;
			if (!setup.quick) await warmUp(bench, ['package', 'httpRequest']);
			const counts = {} as Record<Case, { sent: number; twice: number; output: number }>;

			const times = await inRounds(names, setup.quick ? 1 : 2, async (name) => {
				const { way, ...more } = cases[name];
				const send = {
					...smsNode(way, bench.credential),
					...('settings' in more && more.settings),
				};
				const execution = await bench.execute(smsWorkflow(count, send), {
					share: 0.1,
					fault: { tooMany: true },
				});
				const accepted = await bench.sandbox.client.accepted();
				const sent = new Set(accepted.map(({ to }) => to)).size;
				const output = outputOf(execution, measuredNode).length;
				counts[name] = { sent, twice: accepted.length - sent, output };
				return nodeTime(execution, measuredNode);
			});
			return {
				columns: ['way', 's', 'sent', 'never sent', 'sent once more', 'items out'],
				rows: names.map((name) => {
					const { sent, twice, output } = counts[name];
					const time = spread(
						times[name].map((ms) => ms / 1000),
						1,
					);
					return [name, time, ...[sent, count - sent, twice, output].map(String)];
				}),
				targets: [
					{
						what: `${busy.title}: messages sent twice`,
						unit: '',
						limit: 0,
						measured: counts['this package'].twice,
					},
					{
						what: `${busy.title}: messages never sent`,
						unit: '',
						limit: 0,
						measured: count - counts['this package'].sent,
					},
				],
			};
		}),
};
