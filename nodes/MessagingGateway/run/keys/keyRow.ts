import { remember } from '../../../gateway/memory';
import type { Claim, Ended, Key, KeyStore, StoreError } from './keyStore';

/** A key that somebody waits to know something of. */
interface Asked {
	key: Key;
	resolve: (claim: Claim) => void;
	reject: (error: unknown) => void;
}

/** Rows that runs of this process use, by workflow and node: the last run takes them out. */
const rows = remember<KeyRow>(Infinity);

/**
 * A row of a store, for all runs of this process that use it. One call is under way at a time, and the
 * next takes all that waits by then, of any run: n8n reads a row, changes it and writes it back
 * unlocked, and calls at the same time would lose each other's keys.
 */
export class KeyRow {
	private claims: Asked[] = [];
	private reads: Asked[] = [];
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

	/** Keys that wait to be claimed or read. */
	get waiting(): number {
		return this.claims.length + this.reads.length;
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
		return await ask(this.claims, key);
	}

	/**
	 * Looks a key up with the next call, after the claims of that one.
	 *
	 * @throws whatever the store throws
	 */
	async read(store: KeyStore, key: Key): Promise<Claim> {
		this.store = store;
		return await ask(this.reads, key);
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
			const reads = this.reads.splice(0);
			if (reads.length > 0) {
				await this.answer(reads, async (keys) => await this.store.read(keys));
			}
		}
		this.calls = undefined;
	}

	private async update(): Promise<void> {
		const claims = this.claims.splice(0);
		const ends = this.ends.splice(0);
		if (ends.length + claims.length === 0) return;
		const ended = ends.map((end) => end.ended);
		const failure = await this.answer(claims, async (keys) => await this.store.update(ended, keys));
		if (failure && claims.length > 0 && !failure.isSilent) await this.repeatAccepted(ended);
		ends.forEach(({ resolve }) => resolve());
	}

	/** @returns what the store has thrown; those who asked have it, too */
	private async answer(
		asked: Asked[],
		call: (keys: Key[]) => Promise<Claim[]>,
	): Promise<StoreError | undefined> {
		try {
			const told = await call(asked.map(({ key }) => key));
			asked.forEach(({ resolve }, index) => resolve(told[index] as Claim));
			return undefined;
		} catch (error) {
			const failure = error as StoreError;
			// Those that wait would only wait as long for the same.
			const waiting = failure.isSilent ? [...this.claims.splice(0), ...this.reads.splice(0)] : [];
			[...asked, ...waiting].forEach(({ reject }) => reject(error));
			return failure;
		}
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

const ask = async (waiting: Asked[], key: Key): Promise<Claim> =>
	await new Promise<Claim>((resolve, reject) => {
		waiting.push({ key, resolve, reject });
	});
