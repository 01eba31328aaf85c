import type { HostClient } from '../../../host';
import { importExamples } from '../../../host/examples';

/** The workflows in examples/ that keep deduplication keys, and the type of credential they take. */
export const keyStores = [
	{ database: 'PostgreSQL', name: 'Deduplication in PostgreSQL', type: 'postgres' },
	{ database: 'Redis', name: 'Deduplication in Redis', type: 'redis' },
] as const;

/**
 * Imports and publishes one of them.
 *
 * @param access to its database, as n8n's credential has it
 * @returns its id, and the options of a send that uses it
 */
export async function publishKeyStore(
	client: HostClient,
	{ name, type }: (typeof keyStores)[number],
	access: object,
) {
	const credential = await client.createCredential(access, type);
	const id = (await importExamples(client, { [type]: credential })).get(name)!;
	expect((await client.activate(id)).status).toBe('published');
	const deduplicationWorkflow = { __rl: true, mode: 'list', value: id, cachedResultName: name };
	return { id, name, options: { deduplicationStore: 'workflow', deduplicationWorkflow } };
}
