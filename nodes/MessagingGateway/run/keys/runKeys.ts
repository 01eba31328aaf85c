import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { inProcess, entryOf } from '../../../gateway/maps';
import { ticks, type Abort } from '../../../gateway/pacing/time';
import { BatchQueue } from '../../../gateway/pacing/queues';
import type { Flow } from '../flow';
import type { Fate } from '../job';
import type { WorkflowError } from '../subWorkflow';
import type { KeyRequest, Claim, Key, KeyStore, UsedKey } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore } from './workflowKeyStore';

/** Growing pauses, in ms, between checks of a key that somebody else is using. */
const firstCheckPauseMs = 200;
const longestCheckPauseMs = 2_000;

/** For the store of the run that asks. */
type StoreRequest = KeyRequest & { store: KeyStore };

/** Of a claim that ends, only whether it is recorded counts. */
type StoreResult = Claim | Claim[] | WorkflowError | undefined;

/** What waits for the next call of a store. Two claims of one key must not overlap. */
type StoreQueue = BatchQueue<StoreRequest, StoreResult>;

export const newStoreQueue = (): StoreQueue => new BatchQueue(callStore);

/**
 * Of nodes, by workflow and node, the latest 10,000. Shared by all runs of this process: n8n reads a
 * row, changes it and writes it back without a lock, so calls at the same time would lose each other's
 * keys.
 */
const queuesOfNodes = inProcess.map<StoreQueue>(10_000);

/** Ends go before claims, and claims before reads. */
async function callStore(
	requests: StoreRequest[],
): Promise<Array<StoreResult | Promise<StoreResult>>> {
	// Of the latest caller, whose execution is still under way.
	const { store } = requests.findLast((request) => !request.store.givenUp) ?? requests.at(-1)!;
	const withAction = (...actions: Array<KeyRequest['action']>) =>
		requests.filter(({ action }) => actions.includes(action));
	const [ends, claims, reads] = [
		withAction('accept', 'release'),
		withAction('claim'),
		withAction('read'),
	];
	const { givenUp } = store;

	const withEnds = claims.length > 0 ? [...ends, ...claims] : [];
	const claimed = givenUp ?? (await resultOrError(store, withEnds));
	// One claim may be the reason, which must not cost other messages their record: again without it.
	const isTold = withEnds.length > 0 && !givenUp && (Array.isArray(claimed) || store.givenUp);
	const recorded = isTold ? claimed : resultOrError(store, ends);
	// Those who are refused do not wait for it. An end that is not recorded reads as unanswered.
	if (!store.givenUp || claims.length + reads.length === 0) await recorded;
	const states = store.givenUp ?? (await resultOrError(store, reads));

	const next = (all: Claim[] | WorkflowError) => (Array.isArray(all) ? all.shift() : all);
	return requests.map(({ action }) => {
		if (action === 'claim') return next(claimed);
		return action === 'read' ? next(states) : recorded;
	});
}

/** @returns what the store threw, as all who asked get it */
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

/** Rows that still have to store the end of a claim, by the key's lane; it is removed once stored. */
const queuesWithEnds = inProcess.map<StoreQueue>(Infinity);

/** The keys of one run. */
export class RunKeys {
	private readonly scope: string;

	/** By the workflow that keeps the keys. */
	private readonly stores = new Map<string | undefined, { store: KeyStore; queue: StoreQueue }>();

	/** The claims of the run, by the key's lane. */
	private readonly claimIds = new Map<string, string>();

	/** In a dry run, the numbers of messages that would have been sent, by the key's lane. */
	private readonly shownNumbers = new Map<string, string>();

	/** Ends on their way to the store. */
	private readonly ending: Array<Promise<unknown>> = [];

	/** @param abort ends waits */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly flow: Pick<Flow, 'ask'>,
		private readonly abort: Abort,
	) {
		this.scope = `${context.getWorkflow().id} ${context.getNode().id}`;
	}

	/** A name for the key that is unique across nodes and stores. */
	laneOf({ key, workflow = '', scope = 'key' }: Key): string {
		return `${this.scope} ${workflow} ${scope} ${key}`;
	}

	/**
	 * What a claim would return. In a dry run, a message of this run that is shown uses up its key.
	 *
	 * @throws WorkflowError what the store throws; then nothing may be sent
	 */
	async read(key: Key): Promise<'fresh' | UsedKey> {
		const to = this.shownNumbers.get(this.laneOf(key));
		if (to === undefined) return await this.ask('read', key);
		return to === key.recipient ? 'accepted' : 'elsewhere';
	}

	/**
	 * Which of these keys were used up before, for the same number. Asks each store at once, however many
	 * they are; what it does not say is not known to be.
	 */
	async areUsed(keys: Key[]): Promise<boolean[]> {
		const asked = keys.map(async (key) => {
			const { queue, store } = this.storeOf(key);
			return await queue.ask({ store, action: 'read', key }).catch(() => undefined);
		});
		for (const { queue } of this.stores.values()) void queue.flush();
		return (await Promise.all(asked)).map((claim) => claim === 'accepted');
	}

	/** @throws WorkflowError likewise */
	async claim(key: Key): Promise<'fresh' | UsedKey> {
		const claimId = randomUUID();
		const claim = await this.ask('claim', { ...key, claimId });
		if (claim === 'fresh') this.claimIds.set(this.laneOf(key), claimId);
		return claim;
	}

	/** Call in a dry run with what would have become of a message. */
	show(key: Key, fate: Fate): void {
		if (fate.kind === 'accepted') this.shownNumbers.set(this.laneOf(key), key.recipient);
	}

	/**
	 * Ends a claim of this run, with the next call or at the end of the run. Not one whose message may
	 * have been sent: its key stays in doubt, as does one whose end the store does not record.
	 */
	end(key: Key, fate: Fate): void {
		const lane = this.laneOf(key);
		const claimId = this.claimIds.get(lane);
		const { kind } = fate;
		if (!this.claimIds.delete(lane) || kind === 'unknown' || kind === 'asked') return;
		const ending = kind === 'accepted' ? 'accept' : 'release';
		const { queue, store } = this.storeOf(key);
		queuesWithEnds.set(lane, queue);
		const recorded = queue
			.ask({ store, action: ending, key: { ...key, claimId } })
			.catch(() => {})
			.then(() => queuesWithEnds.delete(lane));
		this.ending.push(recorded);
	}

	/** Resolves when the ends of all claims are recorded, or cannot be. */
	async close(): Promise<void> {
		await Promise.all([...this.stores.values()].map(async ({ queue }) => await queue.flush()));
		await Promise.all(this.ending);
	}

	/** A key that somebody else is using is checked again until there is an answer, or none can come. */
	private async ask(action: 'claim' | 'read', key: Key): Promise<'fresh' | UsedKey> {
		const { queue, store } = this.storeOf(key);
		const end = ticks() + (key.timeoutMs ?? 0);
		for (let pauseMs = firstCheckPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestCheckPauseMs)) {
			const before = queuesWithEnds.get(this.laneOf(key));
			if (before && before !== queue) await before.flush(); // in the same row, it goes first
			const claim = (await this.flow.ask(queue, { store, action, key })) as Claim;
			if (claim !== 'pending') return claim;
			if (ticks() >= end || !(await this.abort.pause(pauseMs))) return 'unanswered';
		}
	}

	private storeOf({ workflow }: Key) {
		return entryOf(this.stores, workflow, () => {
			const { context, scope } = this;
			// A workflow's database keeps executions apart on its own, so no row is shared.
			if (workflow)
				return { store: new WorkflowKeyStore(context, workflow, scope), queue: newStoreQueue() };
			const store = new N8nKeyStore(context.helpers, context.getInstanceId());
			return { store, queue: entryOf(queuesOfNodes, scope, newStoreQueue) };
		});
	}
}
