import type { IExecuteFunctions } from 'n8n-workflow';

import type { Uncertainty } from '../../../gateway/errors';
import { inProcess } from '../../../gateway/inProcess';
import type { ItemRequest } from '../../operation';
import type { Fate, Result } from '../job';
import { nameOf, toEntry, toResult, type Entry } from './entry';
import type { Journal } from './journal';
import { StoredJournal, type Stored } from './storedJournal';

/** Of one execution, in tool calls. */
const mostCalls = 1_000;

/** With the execution that made the call, and whether the call has ended well. */
type Call = Entry & { execution?: string; isOver?: boolean };

interface StoredCalls extends Stored {
	/** By the name of the request, body included. */
	calls: Record<string, Call>;
}

interface Place {
	journal?: StoredCalls;
}

/** Calls by n8n's MCP Server Trigger, which have no execution: by their arguments, the same in all tries. */
const callsOutside = inProcess.weakMap<object, Place>();

/** The journal of a tool: each call is a run of its own, so a message is recognized by itself. */
export class ToolJournal extends StoredJournal implements Journal {
	protected readonly name = 'calls';
	protected readonly stored: StoredCalls;
	private readonly requests: string[] = [];

	constructor(
		context: IExecuteFunctions,
		private readonly uncertainty: Uncertainty,
	) {
		super(context);
		this.stored = open(context).journal ??= { ...this.begin(), calls: {} };
		const savesProgress = context.getWorkflowSettings().saveExecutionProgress === true;
		// n8n then saves it after each call, so that only the last one may be missing.
		if (savesProgress && this.inherited !== undefined) this.stored.isForgotten = true;
	}

	read(item: number, request: ItemRequest): Result | undefined {
		const name = nameOf(request, true);
		this.requests[item] = name;
		const call = this.stored.calls[name];
		if (!call || (call.isOver && call.execution === this.execution)) return undefined;
		return toResult(call, this.context.getNode(), this.uncertainty, item);
	}

	/** Its message is unknown. */
	readUnknown(): undefined {}

	claim(item: number): void {
		this.write(item, { kind: 'sending' });
	}

	end(item: number, fate: Fate): void {
		const name = this.requests[item];
		if (name === undefined) return;
		const entry = toEntry(fate);
		if (entry) this.write(item, entry);
		else if (this.stored.calls[name]?.kind === 'sending') delete this.stored.calls[name];
	}

	close(isUnfinished: boolean): void {
		if (isUnfinished) return;
		for (const name of this.requests) {
			const call = this.stored.calls[name];
			if (call) call.isOver = true;
		}
	}

	private write(item: number, entry: Entry): void {
		const { execution } = this;
		const { calls } = this.stored;
		calls[this.requests[item]!] = { ...entry, ...(execution && { execution }) };
		const names = Object.keys(calls);
		if (names.length > mostCalls) delete calls[names[0]!];
	}
}

/** The node's context, or a substitute for a call outside of an execution. */
function open(context: IExecuteFunctions): Place {
	if (context.getExecutionId()) {
		try {
			return context.getContext('node');
		} catch {
			// n8n has no data of this execution, so it cannot run it again either.
		}
	}
	const call = context.getInputData()[0]?.json ?? context;
	const place = callsOutside.get(call) ?? {};
	callsOutside.set(call, place);
	return place;
}
