import type { IExecuteFunctions } from 'n8n-workflow';

import { remember } from '../../../gateway/memory';
import { isAgentTool } from '../../../gateway/agent';
import type { Abort } from '../../../gateway/pacing/abort';
import type { ChosenWorkflow } from '../askedWorkflow';
import type { Pool } from '../concurrency';
import { KeyRow } from './keyRow';
import type { Claim, Ended, Key, KeyStore, KnownClaim, StoreError } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore } from './workflowKeyStore';

/** Keys that are claimed in one call, per place: at most. */
const mostPerCall = 10;

/** Pauses in ms before a key is asked about again that somebody else is using; each one longer. */
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** The row that has the end of a claim to store, by the key's lane: the end takes itself out. */
const endings = remember<KeyRow>(Infinity);

/**
 * The keys of one run. Each call to the store costs time, so that keys go there in batches: while the
 * messages of one are sent, the items of the next are read. Where that leaves places free, batches are
 * too small, and twice as many items are read ahead from then on.
 */
export class RunKeys {
	readonly store: KeyStore;
	private readonly scope: string;
	private row: KeyRow | undefined;

	/** Keys that go in one call. */
	private batch: number;

	/** Whether further items are being read, whose keys can go in the same call. */
	private isReading = false;

	/** Why the store is not asked any more. */
	private silence: Error | undefined;

	private count: Count | undefined;

	/** Keys of the execution that were there before this run. */
	private earlier = 0;

	/**
	 * @param places those of requests under way
	 * @param ahead those of items read ahead
	 * @param abort ends waits
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly workflow: ChosenWorkflow | undefined,
		private readonly places: Pool,
		private readonly ahead: Pool,
		private readonly abort: Abort,
	) {
		this.scope = `${context.getWorkflow().id} ${context.getNode().id}`;
		this.batch = places.size;
		this.store = workflow
			? new WorkflowKeyStore(context, workflow, this.scope)
			: new N8nKeyStore(context.helpers);
	}

	/** The name of a key among those of all nodes. */
	laneOf(key: string): string {
		return `${this.scope} key ${key}`;
	}

	/** Keys that the store has for sure after this run has added as many. */
	countWith(keys: number): number {
		if (this.store.capacity === Infinity) return keys;
		if (!this.count) {
			this.count = openCount(this.context);
			this.earlier = this.count.earlier;
		}
		return this.earlier + keys;
	}

	/**
	 * Claims a key; one that somebody else is using is asked about again until there is an answer, or
	 * none can come any more.
	 *
	 * @throws StoreError whatever the store throws; then nothing may be sent
	 */
	async claim(key: Key): Promise<'fresh' | KnownClaim> {
		const claim = await this.ask('claim', key);
		if (claim === 'fresh' && this.count) this.count.own++;
		return claim;
	}

	/**
	 * What a claim of a key would find; nothing is claimed.
	 *
	 * @throws StoreError whatever the store throws
	 */
	async read(key: Key): Promise<'fresh' | KnownClaim> {
		return await this.ask('read', key);
	}

	private async ask(how: 'claim' | 'read', key: Key): Promise<'fresh' | KnownClaim> {
		const end = Date.now() + (key.timeoutMs ?? 0);
		for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
			const claim = await this.askOnce(how, key);
			if (claim !== 'fresh' || how === 'read') this.grow();
			if (claim !== 'pending') return claim;
			if (Date.now() >= end || !(await this.abort.pause(pauseMs))) return 'unanswered';
		}
	}

	private async askOnce(how: 'claim' | 'read', key: Key): Promise<Claim> {
		// The database of a workflow keeps executions apart by itself.
		this.row ??= KeyRow.open(this.workflow ? undefined : this.scope);
		if (this.silence) throw this.silence;
		const before = endings.get(this.laneOf(key.key));
		if (before && before !== this.row) await before.flush(); // in the same row, it goes first
		const claim = this.row[how](this.store, key);
		this.flushIfDue();
		return await claim.catch((error: StoreError) => {
			if (error.isSilent) this.silence = error;
			throw error;
		});
	}

	/** Ends a claim of this run, with the next call or at its end. */
	end(ended: Ended): void {
		if (ended.ending === 'released' && this.count) this.count.own--;
		const lane = this.laneOf(ended.key);
		endings.set(lane, this.row!);
		void this.row!.end(this.store, ended).then(() => endings.delete(lane));
	}

	/** To be told before an item is read, or waits to be. */
	noteReading(): void {
		this.isReading = true;
		this.flushIfDue();
	}

	/** To be told when a request is over. */
	noteFree(): void {
		if (this.row?.isBusy) this.grow();
		this.flushIfDue();
	}

	/** To be told when the last item is read, or the next has to wait for a key. */
	finish(): void {
		this.isReading = false;
		if (this.row && this.row.waiting > 0) void this.row.flush();
	}

	/** Where no message waits to be sent, the batches are too small. */
	private grow(): void {
		if (this.places.queued > 0) return;
		this.batch = Math.min(2 * this.batch, mostPerCall * this.places.size);
		this.ahead.growTo(2 * this.batch);
	}

	private flushIfDue(): void {
		if (!this.row || this.row.waiting === 0) return;
		const readsOn = this.isReading && this.ahead.queued === 0;
		const isNeeded = !readsOn && this.places.queued === 0;
		if (isNeeded || this.row.waiting >= this.batch) void this.row.flush();
	}

	/** Resolves when all that the run has to tell the store is stored. */
	async close(): Promise<void> {
		await this.row?.close();
	}
}

/** Keys that an execution has added to a store that keeps the latest ones only. */
interface Count {
	/** The node's run that added keys last, of those of a loop. */
	run: number;
	/** Keys of the runs before it. */
	earlier: number;
	/** Keys of that run, in all its tries. */
	own: number;
}

/**
 * The count in n8n's context of the node, which so holds over the runs of a loop, the tries of
 * 'Retry On Fail', and the execution that n8n's Retry starts.
 */
function openCount(context: IExecuteFunctions): Count {
	const run = context.getWorkflowDataProxy(0).$runIndex as number;
	// n8n's MCP Server Trigger calls a tool outside of any execution.
	const data = context.getExecutionId() ? context.getContext('node') : {};
	const count = (data.deduplicationKeys ??= { run, earlier: 0, own: 0 }) as Count;
	// The calls of a tool share their context, and each sends a message of its own.
	if (count.run !== run || isAgentTool(context.getNode())) {
		Object.assign(count, { run, earlier: count.earlier + count.own, own: 0 });
	}
	return count;
}
