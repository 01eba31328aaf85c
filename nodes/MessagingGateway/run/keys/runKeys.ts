import type { IExecuteFunctions } from 'n8n-workflow';

import type { Pool } from '../pool';
import { GatheredKeys } from './gatheredKeys';
import type { Claim, Ended, Key, KeyStore } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore, type KeyWorkflow } from './workflowKeyStore';

/** Items that may be read ahead where the store takes much of the time, per place. */
const longestLookahead = 20;
const muchOfTheTime = 0.1;

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

	/** Whether no further item will be read. */
	private isRead = false;

	/**
	 * @param places those of requests under way
	 * @param ahead those of items read ahead
	 */
	constructor(
		context: IExecuteFunctions,
		workflow: KeyWorkflow | undefined,
		private readonly places: Pool,
		private readonly ahead: Pool,
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

	/** @throws whatever the store throws; then nothing may be sent */
	async claim(key: Key): Promise<Claim> {
		this.isUsed = true;
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
				return await update.finally(() => (this.storeMs += Date.now() - started));
			},
		};
	}

	private get gathered(): GatheredKeys {
		return GatheredKeys.of(this.row, this.store);
	}
}
