import { onceBy } from '../../shared/deduplication';
import { Bench, nodeTime } from '../bench';
import { medianRatio, seconds } from '../rounds';
import { smsWorkflow, warmUp } from '../sms';
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
			const withoutKeys = smsWorkflow(count, smsNode('package', bench.credential));
			const withKeys = smsWorkflow(count, smsNode('package', bench.credential, once));
			const times = { without: [] as number[], first: [] as number[], again: [] as number[] };
			let twice = 0;
			if (!setup.quick) await warmUp(bench, ['package']);
			for (let round = 0; round < (setup.quick ? 1 : 3); round++) {
				const time = async (workflow: string) =>
					nodeTime(await bench.undisturbed(async () => await bench.run(workflow)), measuredNode);
				await bench.sandbox.client.reset(); // takes back the account of the runs before
				times.without.push(await time(await bench.host.client.createWorkflow(withoutKeys)));
				const list = await bench.host.client.createWorkflow(withKeys);
				await bench.sandbox.client.reset();
				const first = await bench.run(list);
				const accepted = await bench.sandbox.client.timesAccepted({});
				if (accepted !== count) throw new Error(`${accepted} sent: ${first.error?.message}`);
				times.first.push(nodeTime(first, measuredNode));
				await bench.sandbox.client.reset();
				times.again.push(await time(list));
				twice += await bench.sandbox.client.timesAccepted({});
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
