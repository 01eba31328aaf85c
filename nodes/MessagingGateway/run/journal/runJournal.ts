import type { IExecuteFunctions } from 'n8n-workflow';

import type { Uncertainty } from '../../../gateway/errors';
import type { ItemRequest } from '../../operation';
import type { Fate, Result } from '../job';
import { nodeContext, runIndexOf } from '../nodeContext';
import { nameOf, toEntry, toResult, type Entry } from './entry';
import type { Journal } from './journal';

/** As n8n stores it with a failed execution. */
interface Stored {
	/** Index of the node's run, as in a loop. */
	run: number;
	/** The execution that last wrote it; undefined for a run that no execution has begun. */
	execution?: string;
	isForgotten?: true;
	/** By item index, with the name of its request. */
	entries: Record<string, Entry & { request: string }>;
}

/** The journal of a run over items: those of its next try are the same, in the same order. */
export class RunJournal implements Journal {
	private readonly execution: string | undefined;
	private readonly stored: Stored;
	private readonly requests: string[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly uncertainty: Uncertainty,
	) {
		this.execution = context.getExecutionId();
		const run = runIndexOf(context);
		const place = nodeContext(context) as { journal?: Stored };
		const before = place.journal;
		this.stored = before?.run === run ? before : this.begin(run, before);
		place.journal = this.stored;
	}

	get inherited(): string | undefined {
		const { execution, run } = this.stored;
		if (execution === this.execution) return undefined;
		const name = execution ?? this.context.getExecutionContext?.()?.establishedAt;
		return name === undefined ? undefined : `${name} ${run}`;
	}

	inherit(): void {
		this.stored.execution = this.execution;
	}

	get isForgotten(): boolean {
		return this.stored.isForgotten === true;
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

	/**
	 * A run without a record. In a retry, n8n may have lost the record: it saves a node's context at
	 * the end of an execution only, and not with one that was stopped. Nothing that it shows a node
	 * distinguishes that from a run that had not begun, so only a run that follows one of this very
	 * execution, as in a loop, is new for certain.
	 */
	private begin(run: number, before: Stored | undefined): Stored {
		const isNew = this.context.getMode() !== 'retry' || before?.execution === this.execution;
		if (isNew) return { run, execution: this.execution, entries: {} };
		// The retry first has to take over what the retried execution may have begun.
		return { run, isForgotten: true, entries: {} };
	}

	private write(item: number, entry: Entry): void {
		this.stored.entries[item] = { ...entry, request: this.requests[item]! };
	}
}
