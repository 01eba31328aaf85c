import { remember } from '../../../gateway/memory';
import type { Claim, Ended, Key, KeyStore, StoreError } from './keyStore';

/** Rows that runs of this process use, by workflow and node: the last run takes them out. */
const rows = remember<KeyRow>(Infinity);

/**
 * A row of a store, for all runs of this process that use it. One call is under way at a time, and the
 * next takes all that waits by then, of any run: n8n reads a row, changes it and writes it back
 * unlocked, and calls at the same time would lose each other's keys.
 */
export class KeyRow {
	private claims: Array<{
		key: Key;
		resolve: (claim: Claim) => void;
		reject: (error: unknown) => void;
	}> = [];

	private ends: Array<{ ended: Ended; resolve: () => void }> = [];

	/** Of who asked last, and so of an execution that is still under way. */
	private store!: KeyStore;

	private calls: Promise<void> | undefined;
	private isWanted = false;
	private runs = 0;

	private constructor(private readonly name: string | undefined) {}

	/**
	 * To be closed by each run that opens it.
	 *
	 * @param name of a row that runs share, by workflow and node; without one it is the run's own
	 */
	static open(name?: string): KeyRow {
		const row = (name && rows.get(name)) || new KeyRow(name);
		if (name) rows.set(name, row);
		row.runs++;
		return row;
	}

	/** Resolves when all that waits is stored. */
	async close(): Promise<void> {
		await this.flush();
		if (--this.runs === 0 && this.name) rows.delete(this.name);
	}

	/** Keys that wait to be claimed. */
	get waiting(): number {
		return this.claims.length;
	}

	get isBusy(): boolean {
		return this.calls !== undefined;
	}

	/**
	 * Claims a key before its request leaves, with the next call. Two claims of one key must not
	 * overlap.
	 *
	 * @throws whatever the store throws; then nothing may be sent
	 */
	async claim(store: KeyStore, key: Key): Promise<Claim> {
		this.store = store;
		return await new Promise<Claim>((resolve, reject) => {
			this.claims.push({ key, resolve, reject });
		});
	}

	/**
	 * Ends a claim, with the next call. Where the store does not take it, the key reads as unanswered:
	 * the cautious side.
	 */
	async end(store: KeyStore, ended: Ended): Promise<void> {
		this.store = store;
		await new Promise<void>((resolve) => this.ends.push({ ended, resolve }));
	}

	/** Calls the store, now or after the call that is under way; resolves when all of them are over. */
	async flush(): Promise<void> {
		this.isWanted = true;
		this.calls ??= this.call();
		await this.calls;
	}

	private async call(): Promise<void> {
		while (this.isWanted) {
			this.isWanted = false;
			await this.update();
		}
		this.calls = undefined;
	}

	private async update(): Promise<void> {
		const claims = this.claims.splice(0);
		const ends = this.ends.splice(0);
		if (ends.length + claims.length === 0) return;
		const ended = ends.map((end) => end.ended);
		try {
			const keys = claims.map(({ key }) => key);
			const told = await this.store.update(ended, keys);
			claims.forEach(({ resolve }, index) => resolve(told[index] as Claim));
		} catch (error) {
			const { isSilent } = error as StoreError;
			// Those that wait would only wait as long for the same.
			const refused = isSilent ? [...claims, ...this.claims.splice(0)] : claims;
			refused.forEach(({ reject }) => reject(error));
			if (claims.length > 0 && !isSilent) await this.repeatAccepted(ended);
		}
		ends.forEach(({ resolve }) => resolve());
	}

	/**
	 * One claim may be what the store did not take, and costs no other message its record. A release
	 * is not told twice: if the first one was carried out, the key may be claimed by others by now.
	 */
	private async repeatAccepted(ended: Ended[]): Promise<void> {
		const accepted = ended.filter(({ ending }) => ending === 'accepted');
		if (accepted.length > 0) await this.store.update(accepted, []).catch(() => {});
	}
}
