import type { ICredentialDataDecryptedObject as Credential, IExecuteFunctions } from 'n8n-workflow';

import { connectTo, credentialType, type Client } from '../../gateway/client';
import { expressionFields } from '../../gateway/credential';
import { entryOf } from '../../gateway/maps';

/** What keeps the sends of an account: nothing leaves where one of them cannot be read. */
const rules = [
	...(['doNotContactWorkflowId', 'deduplicationWorkflowId'] as const),
	...(['requestsPerSecond', 'maxConcurrency', 'timeout', 'maxRetries'] as const),
	'testMode' as const,
];

/**
 * The accounts of a run, by item. A credential with an expression is read for each item, since nothing
 * else shows whose account an item is sent with; one without is read once, since each time costs a query
 * of n8n's database.
 *
 * What it returns throws what n8n throws when the credential can't be read, or UserError when its base
 * URL is not an address, or one of its rules cannot be used.
 */
export async function accountsOf(context: IExecuteFunctions) {
	const credentialOf = async (index: number) =>
		await context.getCredentials<Credential>(credentialType, index);
	const byCredential = new Map<string, Client>();
	const first = credentialOf(0);
	const { name } = expressionFields;
	/** Whether the first item's credential is that of all. */
	const isCommon = await first.then(
		(credential) => credential[name] === name,
		() => false,
	);
	return async (index: number): Promise<Client> => {
		const credential = await (isCommon || index === 0 ? first : credentialOf(index));
		const key = isCommon ? '' : JSON.stringify({ ...credential, [name]: '' });
		return entryOf(byCredential, key, () => {
			const account = connectTo(context, credential);
			for (const rule of rules) void account[rule];
			return inWorkflow(context, account);
		});
	};
}

/**
 * The workflows that a message waits for must not wait for its place when they send. A do-not-contact
 * workflow is not asked for its own messages, as it would call itself without end: it knows whom it
 * writes to.
 */
function inWorkflow(context: IExecuteFunctions, account: Client): Client {
	const { id } = context.getWorkflow();
	const { doNotContactWorkflowId: list, deduplicationWorkflowId: store } = account;
	if (id !== list && id !== store) return account;
	return Object.create(account, {
		maxConcurrency: { value: Infinity },
		doNotContactWorkflowId: { value: id === list ? undefined : list },
	}) as Client;
}
