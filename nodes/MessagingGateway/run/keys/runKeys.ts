import type { IExecuteFunctions } from 'n8n-workflow';

import type { Pool } from '../pool';
import { GatheredKeys } from './gatheredKeys';
import type { Claim, Ending, Key, KeyStore } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';

/** Items that may be read ahead while the store is slower than the service, per place. */
const longestLookahead = 20;

/**
 * The keys of one run. Each call to the store costs time, so it is made when few items are left that
 * could be sent; and where none are, more are read ahead, so that more keys go in one call.
 */
export class RunKeys {
	private readonly store: KeyStore;

	private readonly row: string;

	private isUsed = false;

	/** Whether no further item will be read. */
	private isRead = false;

	/**
	 * @param places those of requests under way
	 * @param ahead those of items read ahead
	 */
	constructor(
		context: IExecuteFunctions,
		private readonly places: Pool,
		private readonly ahead: Pool,
	) {
		this.store = new N8nKeyStore(context.helpers);
		this.row = `${context.getWorkflow().id} ${context.getNode().id}`;
	}

	/** Keys that a run may use: more would push each other out of the store. */
	get capacity(): number {
		return this.store.capacity;
	}

	/** The name of a key among those of all nodes. */
	laneOf(key: string): string {
		return `${this.row} key ${key}`;
	}

	/** @throws whatever the store throws; then nothing may be sent */
	async claim(key: Key): Promise<Claim> {
		this.isUsed = true;
		const claim = this.gathered.claim(key);
		this.flushIfNeeded();
		const claimed = await claim;
		if (this.places.isIdle) this.ahead.grow(this.places.size * longestLookahead);
		return claimed;
	}

	async end(key: Key, ending: Ending): Promise<void> {
		const end = this.gathered.end(key, ending);
		this.flushIfNeeded();
		await end;
	}

	/** To be told when a request is over. */
	flushIfNeeded(): void {
		if (!this.isUsed) return;
		if (this.isRead || this.places.queued < this.places.size / 2) this.gathered.flush();
	}

	/** To be told when the last item is read. */
	finish(): void {
		this.isRead = true;
		this.flushIfNeeded();
	}

	private get gathered(): GatheredKeys {
		return GatheredKeys.of(this.row, this.store);
	}
}
