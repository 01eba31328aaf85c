import { remember } from '../../../gateway/memory';
import type { Claim, Ended, Key, KeyStore, StoreError } from './keyStore';

/** A key whose state somebody waits for. */
interface Asked {
	key: Key;
	resolve: (claim: Claim) => void;
	reject: (error: unknown) => void;
}

/** Rows in use by runs of this process, by workflow and node; the last run removes its row. */
const rows = remember<KeyRow>(Infinity);

/**
 * A row of a store, shared by all runs of this process that use it. One call runs at a time; the next
 * takes everything that has queued up by then, from any run. Without this, calls would lose each
 * other's keys: n8n reads a row, changes it and writes it back without a lock.
 */
export class KeyRow {
	private readonly asked: Record<'claim' | 'read', Asked[]> = { claim: [], read: [] };
	private ends: Array<{ ended: Ended; resolve: () => void }> = [];

	/** That of the latest caller, whose execution is still under way. */
	private store!: KeyStore;

	private calls: Promise<void> | undefined;
	private isWanted = false;
	private runs = 0;

	private constructor(private readonly name: string | undefined) {}

	/**
	 * Each run that opens a row has to close it.
	 *
	 * @param name the workflow and node whose runs share the row; without it, the run has its own
	 */
	static open(name?: string): KeyRow {
		const row = (name && rows.get(name)) || new KeyRow(name);
		if (name) rows.set(name, row);
		row.runs++;
		return row;
	}

	/** Resolves when everything that waits is stored. */
	async close(): Promise<void> {
		await this.flush();
		if (--this.runs === 0 && this.name) rows.delete(this.name);
	}

	/** How many keys wait to be claimed or read. */
	get waiting(): number {
		return this.asked.claim.length + this.asked.read.length;
	}

	get isBusy(): boolean {
		return this.calls !== undefined;
	}

	/**
	 * Claims a key with the next call, or reads it after that call's claims. Two claims of one key must
	 * not overlap.
	 *
	 * @throws what the store throws; then nothing may be sent
	 */
	async ask(how: 'claim' | 'read', store: KeyStore, key: Key): Promise<Claim> {
		this.store = store;
		return await new Promise<Claim>((resolve, reject) => {
			this.asked[how].push({ key, resolve, reject });
		});
	}

	/** Ends a claim with the next call. If the store fails, the key reads as unanswered, to be safe. */
	async end(store: KeyStore, ended: Ended): Promise<void> {
		this.store = store;
		await new Promise<void>((resolve) => this.ends.push({ ended, resolve }));
	}

	/** Calls the store, now or after the current call; resolves when all calls are over. */
	async flush(): Promise<void> {
		this.isWanted = true;
		this.calls ??= this.call();
		await this.calls;
	}

	private async call(): Promise<void> {
		while (this.isWanted) {
			this.isWanted = false;
			await this.update();
			const reads = this.asked.read.splice(0);
			if (reads.length > 0) {
				await this.answer(reads, async (keys) => await this.store.read(keys));
			}
		}
		this.calls = undefined;
	}

	private async update(): Promise<void> {
		const claims = this.asked.claim.splice(0);
		const ends = this.ends.splice(0);
		if (ends.length + claims.length === 0) return;
		const ended = ends.map((end) => end.ended);
		const failure = await this.answer(claims, async (keys) => await this.store.update(ended, keys));
		if (failure && claims.length > 0 && !failure.isTimeout) await this.repeatAccepted(ended);
		ends.forEach(({ resolve }) => resolve());
	}

	/** @returns what the store threw, as those who asked get it, too */
	private async answer(
		asked: Asked[],
		call: (keys: Key[]) => Promise<Claim[]>,
	): Promise<StoreError | undefined> {
		try {
			const claims = await call(asked.map(({ key }) => key));
			asked.forEach(({ resolve }, index) => resolve(claims[index] as Claim));
			return undefined;
		} catch (error) {
			const failure = error as StoreError;
			// The next call would only time out as well.
			const { claim, read } = this.asked;
			const waiting = failure.isTimeout ? [...claim.splice(0), ...read.splice(0)] : [];
			[...asked, ...waiting].forEach(({ reject }) => reject(error));
			return failure;
		}
	}

	/**
	 * The store may have failed because of one claim, which must not cost other messages their record.
	 * Releases are not repeated: if the store carried one out, others may have claimed the key by now.
	 */
	private async repeatAccepted(ended: Ended[]): Promise<void> {
		const accepted = ended.filter(({ ending }) => ending === 'accepted');
		if (accepted.length > 0) await this.store.update(accepted, []).catch(() => {});
	}
}
