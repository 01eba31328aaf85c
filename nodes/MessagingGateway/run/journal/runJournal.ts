import type { IExecuteFunctions } from 'n8n-workflow';

import type { Uncertainty } from '../../../gateway/errors';
import type { ItemRequest } from '../../operation';
import type { Fate, Result } from '../job';
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
		const run = Number(context.getWorkflowDataProxy(0).$runIndex);
		const place = open(context);
		const before = place.journal;
		const isForgotten = before?.run !== run && this.hasForgotten(before);
		// A retry first has to take over what the retried execution may have begun.
		const execution = context.getMode() === 'retry' ? undefined : this.execution;
		this.stored = before?.run === run ? before : { run, execution, entries: {} };
		if (isForgotten) this.stored.isForgotten = true;
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

	close(hasFailed: boolean): void {
		const mayRunAgain = !this.context.continueOnFail() || this.context.getNode().retryOnFail;
		if (!(hasFailed && mayRunAgain)) this.stored.entries = {};
	}

	private write(item: number, entry: Entry): void {
		this.stored.entries[item] = { ...entry, request: this.requests[item]! };
	}

	/**
	 * Whether n8n retries an execution that it did not save at its end. If it did save it and there is
	 * no record of this run of the node, the run had not begun.
	 */
	private hasForgotten(before: Stored | undefined): boolean {
		if (this.context.getMode() !== 'retry') return false;
		const { source = 'retry' } = this.context.getExecutionContext?.() ?? {};
		const { saveExecutionProgress } = this.context.getWorkflowSettings?.() ?? {};
		if (source === 'retry' || saveExecutionProgress === true) return true;
		const { name } = this.context.getNode();
		return !before && this.context.getWorkflowDataProxy(0).$(name).isExecuted !== false;
	}
}

function open(context: IExecuteFunctions): { journal?: Stored } {
	try {
		return context.getContext('node');
	} catch {
		return {}; // n8n has no data of this execution, so it cannot run it again either.
	}
}
