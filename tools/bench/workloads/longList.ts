import type { INodeParameters } from 'n8n-workflow';

import { onceBy } from '../../shared/deduplication';
import { Bench, nodeTime } from '../bench';
import { medianRatio, spreadInSeconds } from '../rounds';
import { smsWorkflow, timeSms, warmUp } from '../sms';
import { measuredNode, smsNode } from '../ways';
import type { Workload } from '../workload';

const longListTitle = '12,000 SMS with keys, and the same list again';

/** Changes nothing. */
const oneMore = { keepNumberAsEntered: "={{ $json.order === '' }}" };

export const longList: Workload = {
	name: 'longList',
	title: longListTitle,
	text: "A long list, then the same one again by mistake, of which nothing may be sent. n8n evaluates the key's expression for each item, which takes longer than the key. So the list is compared with one that has another expression instead. When the list is sent again, n8n evaluates all of it once more. Three rounds.",
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const count = setup.quick ? 200 : 12_000;
			const times = {
				without: [] as number[],
				oneMore: [] as number[],
				first: [] as number[],
				again: [] as number[],
			};
			let twice = 0;
			const send = async (options: INodeParameters = {}) =>
				await timeSms(bench, 'package', count, { options });
			if (!setup.quick) await warmUp(bench, ['package']);
			for (let round = 0; round < (setup.quick ? 1 : 3); round++) {
				times.without.push(await send());
				times.oneMore.push(await send(oneMore));
				const node = smsNode('package', await bench.newAccount([]), onceBy('={{ $json.order }}'));
				const list = await bench.host.client.createWorkflow(smsWorkflow(count, node));
				const first = await bench.run(list);
				const sent = await bench.sandbox.client.timesAccepted({});
				if (sent !== count) throw new Error(`${sent} sent: ${first.error?.message}`);
				times.first.push(nodeTime(first, measuredNode));
				const again = await bench.run(list);
				times.again.push(nodeTime(again, measuredNode));
				twice += (await bench.sandbox.client.timesAccepted({})) - sent;
			}
			const ratio = (of: keyof typeof times, to: keyof typeof times) =>
				medianRatio(times[of], times[to]);
			const row = (what: string, name: keyof typeof times, count = '') => {
				const ratios = [ratio(name, 'without'), ratio(name, 'oneMore')].map((each) =>
					each.toFixed(2),
				);
				return [what, spreadInSeconds(times[name]), ...ratios, count];
			};
			return {
				columns: ['', 's', '÷ without keys', '÷ one more expression', 'sent twice'],
				rows: [
					row('without keys', 'without'),
					row('without, one more expression', 'oneMore'),
					row('with a key each', 'first'),
					row('again', 'again', `${twice}`),
				],
				targets: [
					{
						what: `${longListTitle}: with keys ÷ one more expression`,
						limit: 1.2,
						measured: ratio('first', 'oneMore'),
					},
					{ what: `${longListTitle}: sent twice`, limit: 0, measured: twice },
				],
			};
		}),
};
