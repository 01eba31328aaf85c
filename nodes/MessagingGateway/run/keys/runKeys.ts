import type { IExecuteFunctions } from 'n8n-workflow';

import type { Halt } from '../../../gateway/pacing/abort';
import type { Pool } from '../pool';
import { GatheredKeys } from './gatheredKeys';
import { KeyCount } from './keyCount';
import type { Claim, Ended, Key, KeyStore, KnownClaim, StoreError } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore, type KeyWorkflow } from './workflowKeyStore';

/** Items that may be read ahead where the store takes much of the time, per place. */
const longestLookahead = 20;
const muchOfTheTime = 0.1;

/** Pauses in ms before a key is asked about again that somebody else is using; each one longer. */
const firstPauseMs = 200;
const longestPauseMs = 2_000;

let runs = 0;

/**
 * The keys of one run. Each call to the store costs time, so it is made when few items are left that
 * could be sent. Where the store takes much of the time, as many items are read before it as may be,
 * and more and more, so that more keys go in one call.
 */
export class RunKeys {
	/** Ends of claims that are not stored yet, of all runs, by lane. */
	private static readonly endings = new Map<string, { keys: GatheredKeys; end: Promise<void> }>();

	readonly store: KeyStore;

	private readonly scope: string;

	/** Calls to the store are gathered per row. */
	private readonly row: string;

	private readonly startedAt = Date.now();

	/** Time that the calls of the store have taken, in ms. */
	private storeMs = 0;

	private isUsed = false;

	/** Why the store is not asked any more. */
	private silence: Error | undefined;

	private keyCount: KeyCount | undefined;

	/** Whether no further item will be read. */
	private isRead = false;

	/**
	 * @param places those of requests under way
	 * @param ahead those of items read ahead
	 * @param halt ends waits
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		workflow: KeyWorkflow | undefined,
		private readonly places: Pool,
		private readonly ahead: Pool,
		private readonly halt: Halt,
	) {
		this.scope = `${context.getWorkflow().id} ${context.getNode().id}`;
		if (workflow) {
			this.store = this.timed(new WorkflowKeyStore(context, workflow, this.scope));
			this.row = `${this.scope} ${++runs}`; // its database keeps executions apart by itself
		} else {
			this.store = this.timed(new N8nKeyStore(context.helpers));
			this.row = this.scope;
		}
	}

	/** The name of a key among those of all nodes. */
	laneOf(key: string): string {
		return `${this.scope} key ${key}`;
	}

	/** Keys that the store has for sure after this run has added as many. */
	countWith(keys: number): number {
		if (this.store.capacity === Infinity) return keys;
		this.keyCount ??= new KeyCount(this.context);
		return this.keyCount.earlier + keys;
	}

	/**
	 * Claims a key; one that somebody else is using is asked about again until there is an answer, or
	 * none can come any more.
	 *
	 * @throws StoreError whatever the store throws; then nothing may be sent
	 */
	async claim(key: Key): Promise<'fresh' | KnownClaim> {
		this.isUsed = true;
		const end = Date.now() + (key.timeoutMs ?? 0);
		for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
			const claim = await this.claimOnce(key);
			if (claim === 'fresh') this.keyCount?.add(1);
			if (claim !== 'pending') return claim;
			if (Date.now() >= end || !(await this.halt.pause(pauseMs))) return 'unanswered';
		}
	}

	private async claimOnce(key: Key): Promise<Claim> {
		if (this.silence) throw this.silence;
		const before = RunKeys.endings.get(this.laneOf(key.key));
		// It has to be stored first; what is gathered with the claim is anyway.
		if (before && before.keys !== this.gathered) {
			before.keys.flush();
			await before.end;
		}
		const claim = this.gathered.claim(key);
		this.flushIfNeeded();
		return await claim;
	}

	async end(ended: Ended): Promise<void> {
		if (ended.ending === 'released') this.keyCount?.add(-1);
		const keys = this.gathered;
		const end = keys.end(ended);
		const lane = this.laneOf(ended.key);
		RunKeys.endings.set(lane, { keys, end });
		this.flushIfNeeded();
		await end;
		RunKeys.endings.delete(lane);
	}

	/** To be told before the next item is read, and when a request is over. */
	flushIfNeeded(): void {
		if (!this.isUsed) return;
		const keys = this.gathered;
		const isMuch = this.storeMs > muchOfTheTime * (Date.now() - this.startedAt);
		const canRead = !this.ahead.isFull && !this.isRead;
		const canSend = this.places.queued >= this.places.size / 2 || !keys.hasClaims;
		if ((canSend && !this.places.isIdle) || (isMuch && canRead)) return;
		if (isMuch && !this.isRead) this.ahead.grow(this.places.size * longestLookahead);
		keys.flush();
	}

	/** To be told when the last item is read. */
	finish(): void {
		this.isRead = true;
		this.flushIfNeeded();
	}

	private timed(store: KeyStore): KeyStore {
		return {
			...store,
			update: async (ended, claimed) => {
				const started = Date.now();
				const update = store.update(ended, claimed);
				update.catch((error: StoreError) => {
					if (error.isSilent) this.silence = error;
				});
				return await update.finally(() => (this.storeMs += Date.now() - started));
			},
		};
	}

	private get gathered(): GatheredKeys {
		return GatheredKeys.of(this.row, this.store);
	}
}
