import type {
	INode,
	IDataObject,
	IExecuteFunctions,
	ICredentialDataDecryptedObject as Credential,
} from 'n8n-workflow';

import { credentialType, itemFields } from '../account/credential';
import { hasLastingKey } from '../form/fields/deduplication';
import { Entered } from '../form/item';
import { isAgentTool, servesAgent } from '../n8n/nodeKinds';
import { Abort } from '../pace/abort';
import type { BatchQueue } from '../pace/batchQueue';
import { connectTo, type Client } from '../service/client';
import type { Uncertainty } from '../service/requestError';
import { entryOf } from '../text/collections';
import { Journal } from './journal';
import { RunKeys } from './keys/runKeys';
import type { Operation } from './operation';

/** One run of an operation: what its parts have in common. */
export class Run {
	readonly entered: Entered;
	/** The node, kept because n8n makes a copy each time it is asked. */
	readonly node: INode;
	/** Whether an AI agent gets the output. */
	readonly isTool: boolean;
	/** The texts about what may have been done. Undefined: the operation may be repeated. */
	readonly uncertainty: Uncertainty | undefined;
	/** The record of what must not be sent again. Undefined: the operation may be repeated. */
	readonly journal: Journal | undefined;
	/** The signal of *Stop*, or of the workflow's time-out; undefined in Engine 2.0. */
	readonly cancel: AbortSignal | undefined;
	/** Ends waits and new requests: the execution was cancelled, or an item failed. */
	readonly abort = new Abort();
	/** Resolves once this run may go on with that of an earlier execution; all items share it. */
	takeover: Promise<undefined> | undefined;
	readonly keys: RunKeys;
	/** The questions to each do-not-contact workflow, by its ID. */
	readonly permissionQueues = new Map<string, BatchQueue<IDataObject, boolean>>();
	private isKeyLasting: boolean | undefined;

	constructor(
		readonly context: IExecuteFunctions,
		readonly operation: Operation,
	) {
		const { uncertainty } = operation;
		this.entered = new Entered(context);
		this.node = this.entered.node;
		this.isTool = isAgentTool(this.node);
		const check = (servesAgent(this.node) && uncertainty?.checkOfAgent) || uncertainty?.check;
		this.uncertainty = uncertainty && Object.assign({}, uncertainty, { check });
		this.journal = this.uncertainty && new Journal(context, this.uncertainty);
		this.cancel = context.getExecutionCancelSignal();
		this.keys = new RunKeys(context, this.node, this.abort);
	}

	/** Whether the node has keys that are the same in another run. Asked for each item of a retry: parsed once. */
	get hasLastingKey(): boolean {
		return (this.isKeyLasting ??= hasLastingKey(this.entered));
	}

	get isCanceled(): boolean {
		return this.cancel?.aborted === true;
	}
}

/** The account's sending rules. If one cannot be read, nothing is sent. */
const sendingRules = [
	...(['doNotContactWorkflowId', 'deduplicationWorkflowId'] as const),
	...(['requestsPerSecond', 'maxConcurrency', 'timeout', 'maxRetries'] as const),
	'testMode' as const,
];

/**
 * Returns a function that gives an item's account. A credential whose expressions read an item is read for
 * each item; another one is read once, since each time costs a query of n8n's database.
 *
 * That function throws what n8n throws when the credential can't be read, or UserError when its base URL
 * is not an address, or one of its rules cannot be used.
 */
export async function accountsOf(context: IExecuteFunctions) {
	const byCredential = new Map<string, Client>();
	const first = context.getCredentials<Credential>(credentialType, 0);
	const { name } = itemFields;
	/** Whether all items have the first item's credential. */
	const isCommon = await first.then(
		(credential) => credential[name] === name,
		() => false,
	);
	return async (index: number): Promise<Client> => {
		const isFirst = isCommon || index === 0;
		const credential = await (isFirst ? first : context.getCredentials(credentialType, index));
		const key = isCommon ? '' : JSON.stringify({ ...credential, [name]: '' });
		return entryOf(byCredential, key, () => {
			const account = connectTo(context, credential);
			for (const rule of sendingRules) void account[rule];
			return adaptToWorkflow(context, account);
		});
	};
}

export type AccountOf = Awaited<ReturnType<typeof accountsOf>>;

/**
 * Adapts an account to the workflow that uses it. The workflows that a message waits for must not wait
 * for its place when they send. A do-not-contact workflow is not asked for its own messages, as it would
 * call itself without end: it knows whom it writes to.
 */
function adaptToWorkflow(context: IExecuteFunctions, account: Client): Client {
	const { id } = context.getWorkflow();
	const { doNotContactWorkflowId: contacts, deduplicationWorkflowId: store } = account;
	if (id !== contacts && id !== store) return account;
	return Object.create(account, {
		maxConcurrency: { value: Infinity },
		doNotContactWorkflowId: { value: id === contacts ? undefined : contacts },
	}) as Client;
}
