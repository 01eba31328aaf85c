import type { ICredentialDataDecryptedObject as Credential, IExecuteFunctions } from 'n8n-workflow';

import { connectTo, credentialType, type Client } from '../../gateway/client';
import { expressionFields, isWithoutExpression } from '../../gateway/credential';
import type { Limiter } from '../../gateway/pacing/limiter';
import type { Pace } from '../../gateway/pacing/pace';
import { rulesOf, type Rules } from '../../gateway/rules';
import { entryOf } from '../../gateway/maps';

/** An account at the service. */
export interface AccountInUse {
	client: Client;
	rules: Rules;
	limiterFor(path: string): Limiter;
	/** How far apart its chat-app messages leave. */
	pace(): Pace;
}

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
	const byCredential = new Map<string, AccountInUse>();
	const first = credentialOf(0);
	/** Whether the first item's credential is that of all. */
	const isCommon = await first.then(isWithoutExpression, () => false);
	return async (index: number): Promise<AccountInUse> => {
		const credential = await (isCommon || index === 0 ? first : credentialOf(index));
		const key = isCommon ? '' : JSON.stringify({ ...credential, [expressionFields]: '' });
		return entryOf(byCredential, key, () => {
			const client = connectTo(context, credential);
			const { limiterFor, pace } = client;
			return { client, rules: rulesIn(context, credential), limiterFor, pace };
		});
	};
}

/**
 * The workflows that a message waits for must not wait for its place when they send. A do-not-contact
 * workflow is not asked for its own messages, as it would call itself without end: it knows whom it
 * writes to.
 */
function rulesIn(context: IExecuteFunctions, credential: Credential): Rules {
	const rules = rulesOf(credential);
	const { id } = context.getWorkflow();
	const { doNotContactWorkflow: list, deduplicationWorkflow: store } = rules;
	if (id !== list && id !== store) return rules;
	return {
		...rules,
		maxConcurrency: Infinity,
		doNotContactWorkflow: id === list ? undefined : list,
	};
}
