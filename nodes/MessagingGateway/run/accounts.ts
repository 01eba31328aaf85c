import type { ICredentialDataDecryptedObject as Credential, IExecuteFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../../gateway/authenticate';
import { secretOf } from '../../gateway/secret';
import { connectTo, credentialType, type Client } from '../../gateway/client';
import { expressionFields, isWithoutExpression } from '../../gateway/expressionFields';
import { Limiter } from '../../gateway/pacing/limiter';
import { Pace } from '../../gateway/pacing/pace';
import { rulesOf, type Rules } from '../../gateway/rules';

/** An account at the service. */
export interface AccountInUse {
	client: Client;
	rules: Rules;
	limiterFor(path: string): Limiter;
	pace: Pace;
}

/**
 * The accounts of a run. A credential with an expression is read for each item, since nothing else
 * shows whose account an item is sent with; one without is read once, since each time costs a query of
 * n8n's database.
 */
export class Accounts {
	private readonly byCredential = new Map<string, AccountInUse>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly first: Promise<Credential>,
		/** Whether the first item's credential is that of all. */
		private readonly isCommon: boolean,
	) {}

	static async of(context: IExecuteFunctions): Promise<Accounts> {
		const first = readFor(context, 0);
		return new Accounts(context, first, await first.then(isWithoutExpression, () => false));
	}

	/**
	 * The account of an item.
	 *
	 * @throws what n8n throws when the credential can't be read, or UserError when its base URL is not
	 * an address, or one of its rules cannot be used
	 */
	async forItem(index: number): Promise<AccountInUse> {
		const isFirst = this.isCommon || index === 0;
		const credential = await (isFirst ? this.first : readFor(this.context, index));
		const key = this.isCommon ? '' : JSON.stringify({ ...credential, [expressionFields]: '' });
		const known = this.byCredential.get(key);
		if (known) return known;
		const { href } = parseBaseUrl(credential);
		const account = {
			client: connectTo(this.context, credential),
			rules: this.rulesIn(credential),
			limiterFor: (path: string) => Limiter.of(href, secretOf(credential.apiKey), path),
			pace: Pace.of(href, secretOf(credential.instanceToken)),
		};
		this.byCredential.set(key, account);
		return account;
	}

	/** The workflows that a message waits for must not wait for its place when they send. */
	private rulesIn(credential: Credential): Rules {
		const rules = rulesOf(credential);
		const { id } = this.context.getWorkflow();
		const isAsked = [rules.doNotContactWorkflow, rules.deduplicationWorkflow].includes(id);
		return isAsked ? { ...rules, maxConcurrency: Infinity } : rules;
	}
}

const readFor = async (context: IExecuteFunctions, index: number) =>
	await context.getCredentials<Credential>(credentialType, index);
