import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { randomUUID } from 'crypto';

import { inProcess } from '../../n8n/processState';
import type { Abort } from '../../pace/abort';
import { BatchQueue } from '../../pace/batchQueue';
import { entryOf } from '../../text/collections';
import type { Fate } from '../job';
import type { WorkflowError } from '../subWorkflow';
import { requestsFor } from './keyStore';
import type { Claim, KeyRequest, KeyState, KeyStore, RunKey } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore } from './workflowKeyStore';

/** Growing pauses, in ms, between checks of a key that somebody else is using. */
const firstCheckPauseMs = 200;
const longestCheckPauseMs = 2_000;

/** A request of a run, with that run's own store. */
type StoreRequest = KeyRequest & { store: KeyStore };

/** The result of a request. If it ends a claim, only an error counts: then the end is not recorded. */
type StoreResult = Claim | Claim[] | WorkflowError | undefined;

/** The requests that wait for the next call of a store. Two claims of one key must not overlap. */
type StoreQueue = BatchQueue<StoreRequest, StoreResult>;

export const newQueue = (): StoreQueue => new BatchQueue(callStore);

/**
 * The queues for n8n's own store, by workflow and node: the latest 10,000. All runs of this process share
 * them, because n8n reads a node's keys, changes them and writes them back without a lock, so calls at the
 * same time would lose each other's keys.
 */
const queuesOfNodes = inProcess.map<StoreQueue>(10_000);

/** Carries out what a queue has collected: ends go before claims, and claims before reads. */
async function callStore(
	requests: StoreRequest[],
): Promise<Array<StoreResult | Promise<StoreResult>>> {
	// The latest caller's store is used, since that execution is still under way.
	const { store } = requests.findLast((request) => !request.store.givenUp) ?? requests.at(-1)!;
	const ends = requestsFor(requests, 'accept', 'release');
	const [claims, reads] = [requestsFor(requests, 'claim'), requestsFor(requests, 'read')];
	const { givenUp } = store;

	const withEnds = claims.length > 0 ? [...ends, ...claims] : [];
	const claimed = givenUp ?? (await resultOrError(store, withEnds));
	// A claim may be what failed. It must not cost other messages their record, so the ends go again alone.
	const isTold = withEnds.length > 0 && !givenUp && (Array.isArray(claimed) || store.givenUp);
	const recorded = isTold ? claimed : resultOrError(store, ends);
	// Requests that the store has refused do not wait for ends. An end that is not recorded reads as unanswered.
	if (!store.givenUp || claims.length + reads.length === 0) await recorded;
	const states = store.givenUp ?? (await resultOrError(store, reads));

	const next = (all: Claim[] | WorkflowError) => (Array.isArray(all) ? all.shift() : all);
	return requests.map(({ action }) => {
		if (action === 'claim') return next(claimed);
		return action === 'read' ? next(states) : recorded;
	});
}

/** Returns what the store returned or threw, since an error is the result of all who asked. */
async function resultOrError(
	store: KeyStore,
	requests: KeyRequest[],
): Promise<Claim[] | WorkflowError> {
	if (requests.length === 0) return [];
	return await store.carryOut(requests).catch((error: WorkflowError) => {
		if (error.isTimeout) store.givenUp = error;
		return error;
	});
}

/** The queues that still have to store the end of a claim, by the key's lane; removed once it is stored. */
const queuesOfEnds = inProcess.map<StoreQueue>(Infinity);

/** The keys of one run. */
export class RunKeys {
	private readonly scope: string;
	/** The stores, by the workflow that keeps the keys; undefined: n8n's own. */
	private readonly stores = new Map<string | undefined, { store: KeyStore; queue: StoreQueue }>();
	/** The numbers of messages that a dry run would have sent, by the key's lane. */
	private readonly shownNumbers = new Map<string, string>();
	private readonly ending: Array<Promise<unknown>> = [];

	constructor(
		private readonly context: IExecuteFunctions,
		{ id }: INode,
		private readonly abort: Abort,
	) {
		this.scope = `${context.getWorkflow().id} ${id}`;
	}

	/** Returns a name for the key that is unique across nodes and stores. */
	laneOf({ key, workflow = '', scope = 'key' }: RunKey): string {
		return `${this.scope} ${workflow} ${scope} ${key}`;
	}

	/**
	 * Returns what a claim would return. A message that a dry run shows uses up its key for this run.
	 *
	 * @throws WorkflowError what the store throws; then nothing may be sent
	 */
	async lookUp(key: RunKey): Promise<KeyState> {
		const to = this.shownNumbers.get(this.laneOf(key));
		if (to === undefined) return await this.ask('read', key);
		return to === key.recipient ? 'accepted' : 'elsewhere';
	}

	/** Claims a key. @throws WorkflowError what the store throws; then nothing may be sent */
	async claim(key: RunKey): Promise<KeyState> {
		const claimId = randomUUID();
		const claim = await this.ask('claim', key, claimId);
		if (claim === 'fresh') key.claimId = claimId;
		return claim;
	}

	/** Call in a dry run with the key of a message that would be sent. */
	useInDryRun(key: RunKey): void {
		this.shownNumbers.set(this.laneOf(key), key.recipient);
	}

	/**
	 * Ends a claim of this run, with the next call or at the end of the run. A claim whose message may have
	 * been sent does not end: its key stays in doubt, as does one whose end the store does not record.
	 */
	endClaim(key: RunKey, fate: Fate): void {
		const { claimId } = key;
		const { kind } = fate;
		delete key.claimId;
		if (claimId === undefined || kind === 'unknown' || kind === 'asked') return;
		const ending = kind === 'accepted' ? 'accept' : 'release';
		const { queue, store } = this.storeOf(key);
		const lane = this.laneOf(key);
		queuesOfEnds.set(lane, queue);
		const recorded = queue
			.add({ store, action: ending, key, claimId })
			.catch(() => {})
			.then(() => queuesOfEnds.delete(lane));
		this.ending.push(recorded);
	}

	/** Resolves when the ends of all claims are recorded, or cannot be. */
	async close(): Promise<void> {
		await Promise.all([...this.stores.values()].map(async ({ queue }) => await queue.flush()));
		await Promise.all(this.ending);
	}

	/** Asks about a key. One that is in use is checked again until there is an answer, or none can come. */
	private async ask(action: 'claim' | 'read', key: RunKey, claimId?: string): Promise<KeyState> {
		const { queue, store } = this.storeOf(key);
		const { timeoutMs = 0 } = key;
		const end = performance.now() + timeoutMs;
		for (let pauseMs = firstCheckPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestCheckPauseMs)) {
			const before = queuesOfEnds.get(this.laneOf(key));
			if (before && before !== queue) await before.flush(); // in the same queue, it goes first anyway
			const claim = (await queue.ask({ store, action, key, claimId })) as Claim;
			if (claim !== 'pending') return claim;
			if (performance.now() >= end || !(await this.abort.pause(pauseMs))) return 'unanswered';
		}
	}

	private storeOf({ workflow }: RunKey) {
		return entryOf(this.stores, workflow, () => {
			const { context, scope } = this;
			// A workflow's database keeps executions apart on its own, so no queue is shared.
			if (workflow)
				return { store: new WorkflowKeyStore(context, workflow, scope), queue: newQueue() };
			const store = new N8nKeyStore(context.helpers, context.getInstanceId());
			return { store, queue: entryOf(queuesOfNodes, scope, newQueue) };
		});
	}
}
