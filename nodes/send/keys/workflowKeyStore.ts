import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hash } from 'crypto';

import { isNothing } from '../../form/item';
import { groupBy } from '../../text/collections';
import { toText } from '../../text/values';
import { SubWorkflow, dependencyTimeoutMs, type WorkflowError } from '../subWorkflow';
import { requestsFor, type KeyStore, type Key, type KeyRequest, type Claim } from './keyStore';

/** Keys of more bytes are replaced by a hash, because database indexes take no more than 2,700. */
const longestKey = 2_000;

const keyStates: readonly unknown[] = ['fresh', 'accepted', 'unanswered'];

/**
 * Keeps keys in the database that a workflow uses. They work across all workers if that database can
 * claim a key in one step.
 *
 * The workflow is called with one item per key, `{ v: 1, action, scope, key, to, claimId, until }`, where
 * `action` is `claim`, `accept`, `release` or `read`; a call never contains a key twice, and one that
 * reads does nothing else. A claim has to be made before `until`, or not at all. Calls are repeated: a
 * claim is fresh for its own `claimId`, and a release removes no other. For each key that is claimed or
 * read, the workflow returns `{ key, state, to, age }`, in any order: its state until then (`fresh`,
 * `accepted` or `unanswered`) and, if known, the number of its message and how many seconds ago it
 * was claimed.
 */
export class WorkflowKeyStore implements KeyStore {
	private readonly workflow: SubWorkflow;

	constructor(
		context: IExecuteFunctions,
		workflowId: string,
		private readonly owner: string,
		private readonly timeoutMs = dependencyTimeoutMs,
	) {
		this.workflow = new SubWorkflow(context, workflowId, 'deduplication workflow', timeoutMs);
	}

	/**
	 * Stopping the execution does not end a claim: claims have to be known in order to be released.
	 *
	 * @throws WorkflowError when the workflow fails, takes too long, or leaves out a claimed key; what it
	 * may have claimed then is released
	 */
	async carryOut(requests: KeyRequest[]): Promise<Claim[]> {
		const [claimed, read] = [requestsFor(requests, 'claim'), requestsFor(requests, 'read')];
		if (read.length > 0) {
			const outputs = await this.workflow.call(read.map((each) => this.inputOf(each)));
			return this.claimsIn(outputs, read);
		}
		const until = new Date(Date.now() + this.timeoutMs).toISOString();
		const claims = claimed.map((each) => ({ ...this.inputOf(each), until }));
		const ended = requestsFor(requests, 'accept', 'release');
		const ends = ended.map((each) => this.inputOf(each));
		const names = new Set(ended.map(({ key }) => key.key));
		const isApart = claims.length === 0 || claimed.some(({ key }) => names.has(key.key));
		if (isApart && ends.length > 0) await this.workflow.tell(ends);
		if (claims.length === 0) return [];
		return await this.workflow
			.call(isApart ? claims : [...ends, ...claims])
			.then((outputs) => this.claimsIn(outputs, claimed))
			.catch((error: WorkflowError) => {
				// Nothing is sent for them.
				const releases = claimed.map((each) => this.inputOf({ ...each, action: 'release' }));
				void this.workflow.tell(releases).catch(() => {});
				throw error;
			});
	}

	private inputOf({ action, claimId, key: named }: KeyRequest): IDataObject {
		const { key, recipient, scope = 'key' } = named;
		const owner = scope === 'key' ? this.owner : `${this.owner} ${scope}`;
		const input = { v: 1, action, scope: owner, key: storedKeyOf(key), to: recipient };
		return claimId === undefined ? input : { ...input, claimId };
	}

	private claimsIn(outputs: IDataObject[], asked: KeyRequest[]): Claim[] {
		const answers = groupBy(outputs, (output) => String(output.key));
		return asked.map(({ key }) => this.readClaim(answers.get(storedKeyOf(key.key)) ?? [{}], key));
	}

	private readClaim(answers: IDataObject[], { key, recipient, timeoutMs = 0 }: Key): Claim {
		const { state, to, age } = answers.at(-1)!;
		const other = answers.find((answer) => answer.state !== state);
		const wrong = (what: string) => this.workflow.toError(`it ${what} the key '${key}'`);
		if (other) throw wrong(`returned the states '${other.state}' and '${state}' for`);
		if (state === 'late') throw wrong('was too late to claim');
		if (state === undefined) throw wrong('returned no state for');
		if (!keyStates.includes(state)) throw wrong(`returned the state '${toText(state)}' for`);
		if (state === 'unanswered' && parseFloat(String(age)) * 1000 < timeoutMs) return 'pending';
		const isElsewhere = state === 'accepted' && !isNothing(to) && String(to) !== recipient;
		return isElsewhere ? 'elsewhere' : (state as Claim);
	}
}

/** Returns the key as the workflow gets it. */
function storedKeyOf(key: string): string {
	if (Buffer.byteLength(key) <= longestKey) return key;
	return `sha256:${hash('sha256', key)}`;
}
