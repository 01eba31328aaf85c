import { inProcess } from '../../../gateway/inProcess';
import { Calls } from '../../../gateway/pacing/calls';
import type { Claim, Ended, Key, KeyStore, StoreError } from './keyStore';

/** What goes to the store of its run; a claim that ends gets no answer but that it is recorded. */
type Entry = { store: KeyStore } & (
	{ how: 'read' | 'claim'; key: Key } | { how: 'end'; key: Ended }
);

type Answer = Claim | StoreError | undefined;

/** Rows in use by runs of this process, by workflow and node; the last run removes its row. */
const rows = inProcess.map<KeyRow>(Infinity);

/**
 * A row of a store, shared by all runs of this process that use it: n8n reads a row, changes it and
 * writes it back without a lock, so calls at the same time would lose each other's keys.
 */
export class KeyRow {
	/**
	 * Within a call, ends go before claims, and claims before reads. Two claims of one key must not
	 * overlap.
	 */
	readonly calls = new Calls<Entry, Claim | undefined>(async (entries) => await this.call(entries));

	/** Set once the store was given up: nothing else is asked, but ends are still recorded. */
	private givenUp: StoreError | undefined;

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

	close(): void {
		if (--this.runs === 0 && this.name) rows.delete(this.name);
	}

	private async call(entries: Entry[]): Promise<Array<Answer | Promise<undefined>>> {
		const { store } = entries.at(-1)!; // of the latest caller, whose execution is still under way
		const ended = entries.flatMap(({ how, key }) => (how === 'end' ? [key] : []));
		const claims = entries.filter(({ how }) => how === 'claim');
		const reads = entries.filter(({ how }) => how === 'read');
		const answers = new Map<Entry, Answer>();
		let stored: Promise<undefined> | undefined;

		if (claims.length > 0 && !this.givenUp) {
			const update = async (keys: Key[]) => await store.update(ended, keys);
			const failure = await this.answer(claims, update, answers);
			if (failure?.isTimeout) stored = Promise.reject(failure);
			// One claim may be the reason, which must not cost other messages their record.
			else if (failure) stored = this.store(store, ended);
		} else stored = this.store(store, ended);
		const settled = stored?.catch(() => {});
		if (!this.givenUp || claims.length + reads.length === 0) await settled; // else others wait
		if (reads.length > 0) {
			await this.answer(reads, async (keys) => await store.read(keys), answers);
		}
		return entries.map((entry) =>
			entry.how === 'end' ? stored : (answers.get(entry) ?? this.givenUp),
		);
	}

	/** @throws StoreError when the ends are not recorded: their keys read as unanswered, to be safe */
	private async store(store: KeyStore, ended: Ended[]): Promise<undefined> {
		if (ended.length === 0) return;
		await store.update(ended, []).catch((error: StoreError) => {
			if (error.isTimeout) this.givenUp = error;
			throw error;
		});
	}

	/** @returns what the store threw, as those who asked get it, too */
	private async answer(
		asked: Entry[],
		call: (keys: Key[]) => Promise<Claim[]>,
		answers: Map<Entry, Answer>,
	): Promise<StoreError | undefined> {
		try {
			if (this.givenUp) throw this.givenUp;
			const claims = await call(asked.map(({ key }) => key));
			asked.forEach((entry, index) => answers.set(entry, claims[index]));
			return undefined;
		} catch (error) {
			const failure = error as StoreError;
			if (failure.isTimeout) this.givenUp = failure;
			asked.forEach((entry) => answers.set(entry, failure));
			return failure;
		}
	}
}
