import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type {
	DeduplicationHelperFunctions,
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

import { node } from './context';

type Key = DeduplicationItemTypes;
type Context = ICheckProcessedContextData;
/** Which row is meant. */
type Place = [scope: DeduplicationScope, context: Context, options: ICheckProcessedOptions];

const hash = (key: Key) => createHash('md5').update(key.toString()).digest('base64');

/**
 * The store behind n8n's deduplication helpers, mode `entries`, with a map in place of n8n's table. As
 * in n8n, every call reads and rewrites a whole row (one per workflow and scope) without a lock, so
 * concurrent calls lose each other's entries; and a key that occurs twice in a call is new twice.
 */
export class DeduplicationStore implements IDataDeduplicator {
	/** Calls of each helper. Each is a read and a write of the database. */
	readonly calls = {
		checkProcessedAndRecord: 0,
		removeProcessed: 0,
		clearAllProcessedItems: 0,
		getProcessedDataCount: 0,
	};

	/** @param query takes as long as a query of the database */
	constructor(
		private readonly query: () => Promise<unknown> = turn,
		private readonly rows = new Map<string, string>(),
	) {}

	async checkProcessedAndRecord(keys: Key[], ...place: Place): Promise<IDeduplicationOutput> {
		const [scope, context, { maxEntries }] = place;
		this.calls.checkProcessedAndRecord++;
		const stored = await this.read(...place);
		const hashes = keys.map(hash);
		const known = new Set(stored);
		const entries = [...(stored ?? []), ...hashes.filter((entry) => !known.has(entry))];
		if (maxEntries) entries.splice(0, entries.length - maxEntries);
		await (stored ? this.update(scope, context, entries) : this.insert(scope, context, entries));
		return {
			new: keys.filter((_, index) => !known.has(hashes[index]!)),
			processed: keys.filter((_, index) => known.has(hashes[index]!)),
		};
	}

	async removeProcessed(keys: Key[], ...place: Place) {
		this.calls.removeProcessed++;
		const entries = await this.read(...place);
		if (!entries) return;
		for (const entry of keys.map(hash)) {
			const index = entries.indexOf(entry);
			if (index !== -1) entries.splice(index, 1);
		}
		await this.update(place[0], place[1], entries);
	}

	async clearAllProcessedItems(scope: DeduplicationScope, context: Context) {
		this.calls.clearAllProcessedItems++;
		await this.query();
		this.rows.delete(this.row(scope, context));
	}

	async getProcessedDataCount(...place: Place) {
		this.calls.getProcessedDataCount++;
		return (await this.read(...place))?.length ?? 0;
	}

	/** The helpers of the node of `makeContext`. */
	helpers(): DeduplicationHelperFunctions {
		const context = { workflow: { id: 'workflow-1' }, node } as Context;
		const helpers: Partial<DeduplicationHelperFunctions> = {
			checkProcessedAndRecord: async (keys, scope, options) =>
				await this.checkProcessedAndRecord(keys, scope, context, options),
			removeProcessed: async (keys, scope, options) =>
				await this.removeProcessed(keys, scope, context, options),
		};
		return helpers as DeduplicationHelperFunctions;
	}

	/** Deletes all entries and counts. */
	reset() {
		this.rows.clear();
		for (const name of Object.keys(this.calls)) this.calls[name as keyof typeof this.calls] = 0;
	}

	/** The entries of all rows, for comparison. */
	dump(): Array<[row: string, entries: string]> {
		return [...this.rows].filter(([, entries]) => entries !== '[]');
	}

	private row(scope: DeduplicationScope, { workflow, node }: Context) {
		return `${workflow.id} ${scope === 'node' ? `n:${node?.id}` : ''}`;
	}

	private async read(...[scope, context, { mode }]: Place) {
		if (mode !== 'entries') throw new Error(`Deduplication mode '${mode}' is not modelled`);
		await this.query();
		const row = this.rows.get(this.row(scope, context));
		return row === undefined ? undefined : (JSON.parse(row) as string[]);
	}

	private async insert(scope: DeduplicationScope, context: Context, entries: string[]) {
		await this.query();
		if (this.rows.has(this.row(scope, context))) {
			throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data');
		}
		this.rows.set(this.row(scope, context), JSON.stringify(entries));
	}

	private async update(scope: DeduplicationScope, context: Context, entries: string[]) {
		await this.query();
		if (!this.rows.has(this.row(scope, context))) return;
		this.rows.set(this.row(scope, context), JSON.stringify(entries));
	}
}
