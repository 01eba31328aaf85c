import { inProcess } from '../../../gateway/inProcess';
import { Calls } from '../../../gateway/pacing/calls';
import type { Claim, Ended, Key, KeyStore, StoreError } from './keyStore';

/** What goes to the store of its run; a claim that ends gets no answer. */
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

	/** Set once the store has timed out: it would only time out again, so nothing else is asked. */
	private timeout: StoreError | undefined;

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
		await this.calls.flush();
		if (--this.runs === 0 && this.name) rows.delete(this.name);
	}

	private async call(entries: Entry[]): Promise<Answer[]> {
		const { store } = entries.at(-1)!; // of the latest caller, whose execution is still under way
		const ended = entries.flatMap(({ how, key }) => (how === 'end' ? [key] : []));
		const claims = entries.filter(({ how }) => how === 'claim');
		const reads = entries.filter(({ how }) => how === 'read');
		const answers = new Map<Entry, Answer>();

		if (this.timeout) {
			const stored = storeEnds(store, ended);
			if (claims.length + reads.length === 0) await stored; // nobody else waits
			return entries.map(({ how }) => (how === 'end' ? undefined : this.timeout));
		}
		if (claims.length > 0) {
			const failure = await this.answer(
				claims,
				async (keys) => await store.update(ended, keys),
				answers,
			);
			// It may have failed because of one claim, which must not cost other messages their record.
			// Releases are not repeated: if one was carried out, others may have claimed the key by now.
			if (failure && !failure.isTimeout) {
				await storeEnds(
					store,
					ended.filter(({ ending }) => ending === 'accepted'),
				);
			}
		} else await storeEnds(store, ended);
		if (reads.length > 0) {
			await this.answer(reads, async (keys) => await store.read(keys), answers);
		}
		return entries.map((entry) => answers.get(entry));
	}

	/** @returns what the store threw, as those who asked get it, too */
	private async answer(
		asked: Entry[],
		call: (keys: Key[]) => Promise<Claim[]>,
		answers: Map<Entry, Answer>,
	): Promise<StoreError | undefined> {
		try {
			if (this.timeout) throw this.timeout;
			const claims = await call(asked.map(({ key }) => key));
			asked.forEach((entry, index) => answers.set(entry, claims[index]));
			return undefined;
		} catch (error) {
			const failure = error as StoreError;
			if (failure.isTimeout) this.timeout = failure;
			asked.forEach((entry) => answers.set(entry, failure));
			return failure;
		}
	}
}

/** If the store fails, the keys read as unanswered, to be safe. */
async function storeEnds(store: KeyStore, ended: Ended[]): Promise<void> {
	if (ended.length > 0) await store.update(ended, []).catch(() => {});
}
