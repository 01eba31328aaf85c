import type { HostClient, WorkflowJson } from '../../../tools/host';
import { prepareExample } from '../../../tools/host/examples';

/** The workflows in examples/ that keep deduplication keys, and the type of credential they take. */
export const keyStores = [
	{
		database: 'PostgreSQL',
		name: 'Deduplication in PostgreSQL',
		file: 'deduplication-postgresql',
		type: 'postgres',
	},
	{ database: 'Redis', name: 'Deduplication in Redis', file: 'deduplication-redis', type: 'redis' },
] as const;

/**
 * Imports and publishes one of them.
 *
 * @param access to its database, as n8n's credential has it
 * @param change makes another workflow of it
 * @returns its id, and the credential's rule that uses it
 */
export async function publishKeyStore(
	client: HostClient,
	{ file, type }: (typeof keyStores)[number],
	access: object,
	change: (workflow: WorkflowJson) => void = () => {},
) {
	const credential = await client.createCredential(access, type);
	const workflow = await prepareExample(client, file, { [type]: credential });
	change(workflow);
	const id = await client.publish(workflow);
	return { id, rules: { deduplicationWorkflowId: id } };
}
