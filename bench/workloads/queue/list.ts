import { nodeTime } from '../../bench';
import { QueueBench, type Published } from '../../queueBench';
import { inRounds, medianRatio, spread } from '../../rounds';
import { smsWorkflow } from '../../sms';
import { measuredNode } from '../../ways';
import type { Workload } from '../../workload';
import { wayNames, ways, type Way } from './ways';

const count = 10_000;

export const queueList: Workload = {
	name: 'queue-list',
	title: `A list of ${count.toLocaleString('en')} SMS with keys`,
	text: 'One execution on one worker. Time of the node; median (smallest–largest) of the rounds.',
	picture: { columns: ['s'] },
	measure: async (setup) =>
		await QueueBench.with(setup, 1, async (bench) => {
			const items = setup.quick ? 200 : count;
			const published = {} as Record<Way, Published>;
			for (const way of wayNames) {
				published[way] = await bench.publish(smsWorkflow(items, ways[way](bench)));
				const small = await bench.publish(smsWorkflow(200, ways[way](bench)));
				await bench.run(small); // compiles
			}
			const times = await inRounds(wayNames, setup.quick ? 1 : 3, async (way) => {
				const execution = await bench.run(published[way]);
				const accepted = await bench.sandbox.client.timesAccepted({});
				if (accepted !== items) throw new Error(`${way}: ${accepted} of ${items} accepted`);
				return nodeTime(execution, measuredNode) / 1000;
			});
			const ratio = (way: Way) => medianRatio(times[way], times['this package']);
			return {
				columns: ['way', 's', '÷ this package without keys'],
				rows: wayNames.map((way) => [way, spread(times[way], 1), ratio(way).toFixed(2)]),
				targets: [
					{
						what: `${count.toLocaleString('en')} SMS with keys in PostgreSQL ÷ without`,
						unit: '',
						limit: 2,
						measured: ratio('with keys in PostgreSQL'),
					},
				],
			};
		}),
};
