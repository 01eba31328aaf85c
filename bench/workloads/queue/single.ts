import { chain, node } from '../../../testing/workflows';
import { nodeTime } from '../../bench';
import { QueueBench, type Database, type Published } from '../../queueBench';
import { inRounds, median, spread } from '../../rounds';
import { smsWorkflow } from '../../sms';
import { measuredNode } from '../../ways';
import type { Workload } from '../../workload';
import { ways } from './ways';

const databases: Database[] = ['PostgreSQL', 'Redis'];

export const queueSingle: Workload = {
	name: 'queue-single',
	title: 'One SMS with a key per execution',
	text: "What the key adds to the time of the node, beside one call of the same workflow by n8n's Execute Workflow node: a key is claimed before its request and noted as accepted after it. One execution at a time; median (smallest–largest).",
	picture: { columns: ['without a key, ms', 'with a key, ms'], sameScale: true },
	measure: async (setup) =>
		await QueueBench.with(setup, 1, async (bench) => {
			const runs = setup.quick ? 2 : 30;
			const measurements = [];
			for (const database of databases) {
				const published = {
					'without a key': await bench.publish(smsWorkflow(1, ways['this package'](bench))),
					'with a key': await bench.publish(
						smsWorkflow(1, ways[`with keys in ${database}`](bench)),
					),
					'one call': await bench.publish(callWorkflow(bench.keyStore(database).id)),
				};
				const names = Object.keys(published) as Array<keyof typeof published>;
				const time = async (each: Published) => nodeTime(await bench.run(each), measuredNode);
				for (const name of names) for (let run = 0; run < 3; run++) await time(published[name]);
				const times = await inRounds(names, runs, async (name) => await time(published[name]));
				const added = median(times['with a key']) - median(times['without a key']);
				measurements.push({ database, times, added, calls: added / median(times['one call']) });
			}
			return {
				columns: [
					'keys in',
					'without a key, ms',
					'with a key, ms',
					'one call, ms',
					'added, ms',
					'added, calls',
				],
				rows: measurements.map(({ database, times, added, calls }) => [
					database,
					spread(times['without a key'], 0),
					spread(times['with a key'], 0),
					spread(times['one call'], 0),
					added.toFixed(0),
					calls.toFixed(2),
				]),
				targets: measurements.map(({ database, calls }) => ({
					what: `Added by a key in ${database} ÷ one call of the workflow`,
					unit: '',
					limit: 2.5,
					measured: calls,
				})),
			};
		}),
};

/** Calls the workflow that keeps keys once, as n8n's own node does. */
const callWorkflow = (workflowId: string) =>
	chain(
		'One call',
		node(
			'Claim',
			'n8n-nodes-base.set',
			{
				mode: 'raw',
				jsonOutput:
					'={{ { action: "claim", scope: "benchmark", key: $execution.id, to: "5511900000000" } }}',
			},
			{ typeVersion: 3.4 },
		),
		node(
			measuredNode,
			'n8n-nodes-base.executeWorkflow',
			{
				workflowId: { __rl: true, mode: 'id', value: workflowId },
				workflowInputs: { mappingMode: 'defineBelow', value: {} },
			},
			{ typeVersion: 1.2 },
		),
	);
