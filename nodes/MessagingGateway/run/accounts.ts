import { UserError } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import type { SelectedWorkflow } from '../../form/fields/workflow';
import { parseBaseUrl } from '../../gateway/authenticate';
import { secretOf } from '../../gateway/secret';
import { connectTo, credentialType, type Client } from '../../gateway/client';
import type { Outcome } from '../../gateway/outcome';
import { Limiter } from '../../gateway/pacing/limiter';
import { Pace } from '../../gateway/pacing/pace';
import { textOf } from '../../text/toText';

/** An account at the service. */
export interface AccountInUse {
	client: Client;
	limiterFor(path: string): Limiter;
	pace: Pace;
	/** Decides who may be contacted, unless the node has one of its own. */
	doNotContact: SelectedWorkflow | undefined;
	/** Outcomes of requests that items of the run share, by request. */
	shared: Map<string, Promise<Outcome | undefined>>;
}

/** How many items the credential is read for to find out whether it contains expressions. */
const samples = 4;

/**
 * The accounts of a run. A credential with expressions may differ from item to item; one without is
 * read only a few times, since each time costs a query of n8n's database.
 */
export class Accounts {
	private readonly byCredential = new Map<string, AccountInUse>();

	private constructor(
		private readonly context: IExecuteFunctions,
		/** The credential, if it is the same for all items. */
		private readonly common: ICredentialDataDecryptedObject | undefined,
	) {}

	static async of(context: IExecuteFunctions): Promise<Accounts> {
		const count = context.getInputData().length;
		const read = await Promise.allSettled(
			indexesFor(count).map(async (index) => await readFor(context, index)),
		);
		const [first, ...others] = read;
		const isCommon =
			first?.status === 'fulfilled' &&
			others.every((other) => other.status === 'fulfilled' && isSame(first.value, other.value));
		return new Accounts(context, isCommon ? first.value : undefined);
	}

	/**
	 * The account of an item.
	 *
	 * @throws what n8n throws when the credential can't be read, or UserError when its base URL is not
	 * an address, or its list not a workflow
	 */
	async forItem(index: number): Promise<AccountInUse> {
		const credential = this.common ?? (await readFor(this.context, index));
		const key = credential === this.common ? '' : JSON.stringify(credential);
		const known = this.byCredential.get(key);
		if (known) return known;
		const { href } = parseBaseUrl(credential);
		const account = {
			client: connectTo(this.context, credential),
			limiterFor: (path: string) => Limiter.of(href, secretOf(credential.apiKey), path),
			pace: Pace.of(href, secretOf(credential.instanceToken)),
			doNotContact: readList(credential),
			shared: new Map(),
		};
		this.byCredential.set(key, account);
		return account;
	}
}

/** The workflow in the credential. An empty text means none; an expression that gives nothing does not. */
function readList(credential: ICredentialDataDecryptedObject): SelectedWorkflow | undefined {
	const { doNotContactWorkflowId: entered } = credential;
	if (entered === '' || !('doNotContactWorkflowId' in credential)) return undefined;
	const id = textOf(entered);
	if (id !== '') return { id, name: id };
	throw new UserError(
		"'Do Not Contact Workflow ID' in the Messaging Gateway credential is not the ID of a workflow",
	);
}

/** The first item, the last, some between, and one past the end, for which `$json` has no value. */
function indexesFor(count: number): number[] {
	if (count <= 1) return [0];
	const between = Array.from({ length: samples }, (_, sample) =>
		Math.round((sample * (count - 1)) / (samples - 1)),
	);
	return [...new Set([...between, count])];
}

const readFor = async (context: IExecuteFunctions, index: number) =>
	await context.getCredentials(credentialType, index);

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
