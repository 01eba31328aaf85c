import { onceBy } from '../../shared/deduplication';
import { Bench, nodeTime } from '../bench';
import { inRounds, medianRatio, spreadInSeconds } from '../rounds';
import { smsWorkflow, warmUp } from '../sms';
import { measuredNode, smsNode } from '../ways';
import type { Workload } from '../workload';

const keyCases = [
	'without a key',
	"the key's expressions in the text",
	'with a key, first run',
	'with a key, store full',
] as const;

const key = '{{ $execution.id }}-{{ $json.order }}';

/** Runs that fill n8n's store for a node: 20,000 keys, three entries each. */
const runsToFill = 20;

export const deduplication: Workload = {
	name: 'deduplication',
	title: "1,000 SMS with 'Deduplication'",
	text: "The cost of the key: two more expressions per item, which n8n evaluates, and n8n's store in its database (SQLite here). The text with the same expressions shows what they cost alone. 'Store full' means that the node has sent 20,000 messages with keys before.",
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 100 : 1000;
			const send = smsNode('package', bench.credential);
			const withoutKey = smsWorkflow(count, send);
			const text = `${send.parameters.text as string} ${key}`;
			const inText = smsWorkflow(count, { ...send, parameters: { ...send.parameters, text } });
			const options = onceBy(`=${key}`);
			const withKey = smsWorkflow(count, smsNode('package', bench.credential, options));

			if (!setup.quick) await warmUp(bench, ['package']);
			const full = await bench.host.client.createWorkflow(withKey);
			for (let run = 0; run < (setup.quick ? 1 : runsToFill); run++) await bench.run(full);

			const runs = {
				'without a key': async () => await bench.execute(withoutKey),
				"the key's expressions in the text": async () => await bench.execute(inText),
				'with a key, first run': async () => await bench.execute(withKey), // a new workflow
				'with a key, store full': async () => await bench.run(full),
			};
			const times = await inRounds(keyCases, setup.quick ? 1 : 7, async (name) =>
				nodeTime(await runs[name](), measuredNode),
			);
			const ratio = (
				name: (typeof keyCases)[number],
				to: (typeof keyCases)[number] = keyCases[0],
			) => medianRatio(times[name], times[to]);
			return {
				columns: ['', 's', '÷ without', '÷ with the expressions'],
				rows: keyCases.map((name) => [
					name,
					spreadInSeconds(times[name]),
					ratio(name).toFixed(2),
					ratio(name, keyCases[1]).toFixed(2),
				]),
				targets: [
					{ name: keyCases[2], limit: 1.3 },
					{ name: keyCases[3], limit: 1.6 },
				].map(({ name, limit }) => ({
					what: `1,000 SMS ${name} ÷ without`,
					limit,
					measured: ratio(name),
				})),
			};
		}),
};
