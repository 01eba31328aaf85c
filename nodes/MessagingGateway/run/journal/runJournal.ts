import type { IExecuteFunctions } from 'n8n-workflow';

import type { Uncertainty } from '../../../gateway/errors';
import type { ItemRequest } from '../../operation';
import type { Fate, Result } from '../job';
import { nodeContext, runIndexOf } from '../nodeContext';
import { nameOf, toEntry, toResult, type Entry } from './entry';
import type { Journal } from './journal';
import { StoredJournal, type Stored } from './storedJournal';

interface StoredRun extends Stored {
	/** Index of the node's run, as in a loop. */
	run: number;
	/** By item index, with the name of its request. */
	entries: Record<string, Entry & { request: string }>;
}

/** The journal of a run over items: those of its next try are the same, in the same order. */
export class RunJournal extends StoredJournal implements Journal {
	protected readonly name: string;
	protected readonly stored: StoredRun;
	private readonly requests: string[] = [];

	constructor(
		context: IExecuteFunctions,
		private readonly uncertainty: Uncertainty,
	) {
		super(context);
		const run = runIndexOf(context);
		this.name = String(run);
		const place = nodeContext(context) as { journal?: StoredRun };
		const before = place.journal;
		this.stored = before?.run === run ? before : this.beginRun(run, before);
		place.journal = this.stored;
	}

	/** A message's text and time may differ at each try, so it is recognized without its body. */
	read(item: number, request: ItemRequest): Result | 'changed' | undefined {
		const name = nameOf(request, !request.recipient);
		this.requests[item] = name;
		const entry = this.stored.entries[item];
		return entry && entry.request !== name ? 'changed' : this.readUnknown(item);
	}

	readUnknown(item: number): Result | undefined {
		const entry = this.stored.entries[item];
		return entry && toResult(entry, this.context.getNode(), this.uncertainty, item);
	}

	claim(item: number): void {
		this.write(item, { kind: 'sending' });
	}

	end(item: number, fate: Fate): void {
		const request = this.requests[item];
		if (request === undefined) return;
		const entry = toEntry(fate);
		const before = this.stored.entries[item];
		if (entry) this.write(item, entry);
		else if (before?.kind === 'sending' && before.request === request) {
			delete this.stored.entries[item];
		}
	}

	close(isUnfinished: boolean): void {
		const mayRunAgain = !this.context.continueOnFail() || this.context.getNode().retryOnFail;
		if (!(isUnfinished && mayRunAgain)) this.stored.entries = {};
	}

	/** A run that follows one of this very execution, as in a loop, is new for certain. */
	private beginRun(run: number, before: StoredRun | undefined): StoredRun {
		const isNew = before !== undefined && before.execution === this.execution;
		return { ...(isNew ? { execution: this.execution } : this.begin()), run, entries: {} };
	}

	private write(item: number, entry: Entry): void {
		this.stored.entries[item] = { ...entry, request: this.requests[item]! };
	}
}
