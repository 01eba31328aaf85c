import { onceBy } from '../../shared/deduplication';
import { Bench, nodeTime } from '../bench';
import { medianRatio, seconds } from '../rounds';
import { smsWorkflow, timeSms, warmUp } from '../sms';
import { measuredNode, smsNode } from '../ways';
import type { Workload } from '../workload';

const title = '12,000 SMS with keys, and the same list again';

export const longList: Workload = {
	name: 'longList',
	title,
	text: 'A long list, then the same one again by mistake, of which nothing may be sent. Three rounds.',
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 200 : 12_000;
			const once = onceBy('={{ $json.order }}');
			const times = { without: [] as number[], first: [] as number[], again: [] as number[] };
			let twice = 0;
			if (!setup.quick) await warmUp(bench, ['package']);
			for (let round = 0; round < (setup.quick ? 1 : 3); round++) {
				times.without.push(
					await bench.undisturbed(async () => await timeSms(bench, 'package', count)),
				);
				const account = await bench.newAccount([]);
				const list = smsWorkflow(count, smsNode('package', account, once));
				const id = await bench.host.client.createWorkflow(list);
				const first = await bench.run(id);
				const sent = await bench.sandbox.client.timesAccepted({});
				if (sent !== count) throw new Error(`${sent} sent: ${first.error?.message}`);
				times.first.push(nodeTime(first, measuredNode));
				const again = await bench.undisturbed(async () => await bench.run(id));
				times.again.push(nodeTime(again, measuredNode));
				twice += (await bench.sandbox.client.timesAccepted({})) - sent;
			}
			const toFirst = medianRatio(times.first, times.without);
			const toAgain = medianRatio(times.again, times.first);
			return {
				columns: ['', 's', 'ratio', 'sent twice'],
				rows: [
					['without keys', seconds(times.without), '', ''],
					['with a key each', seconds(times.first), `${toFirst.toFixed(2)} of without`, ''],
					['again', seconds(times.again), `${toAgain.toFixed(2)} of the first time`, `${twice}`],
				],
				targets: [
					{ what: `${title}: first ÷ without`, limit: 1.2, measured: toFirst },
					{ what: `${title}: again ÷ first`, limit: 0.5, measured: toAgain },
					{ what: `${title}: sent twice`, limit: 0, measured: twice },
				],
				disturbance: bench.disturbance,
			};
		}),
};
