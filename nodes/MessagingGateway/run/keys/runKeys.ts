import type { IExecuteFunctions } from 'n8n-workflow';

import { remember } from '../../../gateway/memory';
import { isAgentTool } from '../../../gateway/agent';
import type { Abort } from '../../../gateway/pacing/abort';
import type { Pool } from '../concurrency';
import type { SelectedWorkflow } from '../subWorkflow';
import { KeyRow } from './keyRow';
import type { Claim, Ended, Key, KeyStore, KnownClaim, StoreError } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore } from './workflowKeyStore';

/** How many keys a call claims, per place, at most. */
const mostPerCall = 10;

/** Growing pauses, in ms, between checks of a key that somebody else is using. */
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** Rows that still have to store the end of a claim, by the key's lane; it is removed once stored. */
const endings = remember<KeyRow>(Infinity);

/**
 * The keys of one run. Calls to the store take time, so keys go there in batches: while the messages
 * of one batch are sent, the items of the next are read. If that leaves places free, batches are too
 * small, and from then on twice as many items are read ahead.
 */
export class RunKeys {
	readonly store: KeyStore;
	private readonly scope: string;
	private row: KeyRow | undefined;

	/** How many keys go in one call. */
	private batch: number;

	/** Whether more items are being read, whose keys can go in the same call. */
	private isReading = false;

	/** Set once the store has timed out: it is not asked again. */
	private timeout: Error | undefined;

	private count: Count | undefined;

	/** How many keys the execution had before this run. */
	private earlier = 0;

	/**
	 * @param places limits the requests under way
	 * @param ahead limits the items read ahead
	 * @param abort ends waits
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly workflow: SelectedWorkflow | undefined,
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

	/** A name for the key that is unique across nodes. */
	laneOf(key: string): string {
		return `${this.scope} key ${key}`;
	}

	/** How many keys the store has to keep once this run has added this many. */
	countWith(keys: number): number {
		if (this.store.capacity === Infinity) return keys;
		if (!this.count) {
			this.count = openCount(this.context);
			this.earlier = this.count.earlier;
		}
		return this.earlier + keys;
	}

	/**
	 * Claims a key, or reads what a claim would return. A key that somebody else is using is checked
	 * again until there is an answer, or none can come any more.
	 *
	 * @throws StoreError what the store throws; then nothing may be sent
	 */
	async ask(how: 'claim' | 'read', key: Key): Promise<'fresh' | KnownClaim> {
		const end = Date.now() + (key.timeoutMs ?? 0);
		for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
			const claim = await this.askOnce(how, key);
			if (claim !== 'fresh' || how === 'read') this.grow();
			else if (this.count) this.count.own++;
			if (claim !== 'pending') return claim;
			if (Date.now() >= end || !(await this.abort.pause(pauseMs))) return 'unanswered';
		}
	}

	private async askOnce(how: 'claim' | 'read', key: Key): Promise<Claim> {
		// A workflow's database keeps executions apart on its own, so no row is shared.
		this.row ??= KeyRow.open(this.workflow ? undefined : this.scope);
		if (this.timeout) throw this.timeout;
		const before = endings.get(this.laneOf(key.key));
		if (before && before !== this.row) await before.flush(); // in the same row, it goes first
		const claim = this.row.ask(how, this.store, key);
		this.flushIfDue();
		return await claim.catch((error: StoreError) => {
			if (error.isTimeout) this.timeout = error;
			throw error;
		});
	}

	/** Ends a claim of this run, with the next call or at the end of the run. */
	end(ended: Ended): void {
		if (ended.ending === 'released' && this.count) this.count.own--;
		const lane = this.laneOf(ended.key);
		endings.set(lane, this.row!);
		void this.row!.end(this.store, ended).then(() => endings.delete(lane));
	}

	/** Call before an item is read, or waits to be read. */
	noteReading(): void {
		this.isReading = true;
		this.flushIfDue();
	}

	/** Call when a request is over. */
	noteFree(): void {
		if (this.row?.isBusy) this.grow();
		this.flushIfDue();
	}

	/** Call when the last item has been read, or the next one has to wait for a key. */
	finish(): void {
		this.isReading = false;
		if (this.row && this.row.waiting > 0) void this.row.flush();
	}

	/** If no message waits to be sent, batches are too small. */
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

	/** Resolves when the ends of all claims are stored. */
	async close(): Promise<void> {
		await this.row?.close();
	}
}

/** How many keys an execution has added to a store that keeps only the latest ones. */
interface Count {
	/** Index of the node's run, in a loop, that added keys last. */
	run: number;
	/** Keys of the runs before it. */
	earlier: number;
	/** Keys of that run, in all of its tries. */
	own: number;
}

/**
 * The count is kept in n8n's context of the node: so it covers the runs of a loop, the tries of 'Retry
 * On Fail', and the execution that n8n's Retry starts.
 */
function openCount(context: IExecuteFunctions): Count {
	const run = context.getWorkflowDataProxy(0).$runIndex as number;
	// n8n's MCP Server Trigger calls a tool outside of any execution.
	const data = context.getExecutionId() ? context.getContext('node') : {};
	const count = (data.deduplicationKeys ??= { run, earlier: 0, own: 0 }) as Count;
	// A tool's calls share one context and run index, but each sends a different message.
	if (count.run !== run || isAgentTool(context.getNode())) {
		Object.assign(count, { run, earlier: count.earlier + count.own, own: 0 });
	}
	return count;
}
