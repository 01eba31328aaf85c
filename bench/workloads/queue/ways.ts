import type { INodeParameters } from 'n8n-workflow';
import type { Database, QueueBench } from '../../queueBench';
import { smsNode } from '../../ways';

/** The ways to send the same SMS in queue mode, as the results name them. */
export const ways = {
	'HTTP Request node': ({ credential }) => smsNode('httpRequest', credential),
	'this package': ({ credential }) => smsNode('package', credential),
	'with keys, built-in store': (bench) => withKeys(bench, {}),
	'with keys in PostgreSQL': (bench) => withKeys(bench, storeOf(bench, 'PostgreSQL')),
	'with keys in Redis': (bench) => withKeys(bench, storeOf(bench, 'Redis')),
} satisfies Record<string, (bench: QueueBench) => ReturnType<typeof smsNode>>;

export type Way = keyof typeof ways;
export const wayNames = Object.keys(ways) as Way[];

const withKeys = ({ credential }: QueueBench, options: INodeParameters) =>
	smsNode('package', credential, {
		deduplicationKey: '={{ $execution.id }}-{{ $json.order }}',
		...options,
	});

function storeOf(bench: QueueBench, database: Database): INodeParameters {
	const { id, name } = bench.keyStore(database);
	return {
		deduplicationStore: 'workflow',
		deduplicationWorkflow: { __rl: true, mode: 'list', value: id, cachedResultName: name },
	};
}
