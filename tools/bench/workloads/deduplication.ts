import { onceBy } from '../../shared/deduplication';
import { Bench, nodeTime } from '../bench';
import { inRounds, medianRatio, spreadInSeconds } from '../rounds';
import { smsWorkflow, warmUp } from '../sms';
import { measuredNode, smsNode } from '../ways';
import type { Workload } from '../workload';

const titles = {
	without: 'without a key',
	inOther: 'without a key, SMS Type with an expression',
	first: 'with a key, first run',
	full: 'with a key, store full',
};

/** Runs that fill n8n's store for a node: 20,000 keys, three entries each. */
const runsToFill = 20;

export const deduplication: Workload = {
	name: 'deduplication',
	title: "1,000 SMS with 'Deduplication'",
	text: "The cost of the key: one more field with an expression, which n8n evaluates for each item, and n8n's store in its database (SQLite here). *SMS Type* with an expression shows what another field costs. 'Store full' means that the node has sent 20,000 messages with keys before.",
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 100 : 1000;
			const send = smsNode('package', bench.credential);
			const other = { smsType: '={{ $execution.id && $json.order && 1 }}' };
			const inOther = smsNode('package', bench.credential, other);
			const keyed = smsNode(
				'package',
				bench.credential,
				onceBy('={{ $execution.id }}-{{ $json.order }}'),
			);

			if (!setup.quick) await warmUp(bench, ['package']);
			const full = await bench.host.client.createWorkflow(smsWorkflow(count, keyed));
			for (let run = 0; run < (setup.quick ? 1 : runsToFill); run++) await bench.run(full);

			const inNew = (node: typeof send) => async () =>
				await bench.execute(smsWorkflow(count, node));
			const runs = {
				without: inNew(send),
				inOther: inNew(inOther),
				first: inNew(keyed),
				full: async () => await bench.run(full),
			};
			const names = Object.keys(runs) as Array<keyof typeof runs>;
			const times = await inRounds(names, setup.quick ? 1 : 7, async (name) =>
				nodeTime(await runs[name](), measuredNode),
			);
			const ratio = (name: keyof typeof runs, to: keyof typeof runs) =>
				medianRatio(times[name], times[to]);
			const target = (name: 'first' | 'full', limit: number) => ({
				what: `1,000 SMS ${titles[name]} ÷ without`,
				limit,
				measured: ratio(name, 'without'),
			});
			return {
				columns: ['', 's', '÷ without', '÷ with SMS Type'],
				rows: names.map((name) => [
					titles[name],
					spreadInSeconds(times[name]),
					...(['without', 'inOther'] as const).map((to) => ratio(name, to).toFixed(2)),
				]),
				targets: [target('first', 1.3), target('full', 1.6)],
			};
		}),
};
