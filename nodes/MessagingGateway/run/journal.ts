import { createHash } from 'crypto';
import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { nodeApiError, type Uncertainty } from '../../gateway/errors';
import { servesAgent } from '../../gateway/agent';
import { rememberBy } from '../../gateway/memory';
import type { ItemRequest } from '../operation';
import type { Accepted, Failed, Result, Skipped } from './result';

/** What is kept of an item that must not be sent again. */
type Entry = {
	/** Tells whether it is the same request that is to be sent again. */
	request: string;
	/** Of a tool's call: by which execution it was made, and whether that call has ended well. */
	execution?: string;
	isOver?: boolean;
} & Fate;

type Fate =
	| { kind: 'sending' }
	| { kind: 'accepted' | 'skipped'; output: IDataObject[]; messageId?: string }
	| { kind: 'unknown'; message: string; description: string; httpCode?: string };

/** As n8n stores it with a failed execution. Holds no secret: answers and errors come without. */
interface Stored {
	/** Which run of the node, as in a loop. */
	run: number;
	/** The execution that has written it last; undefined for a run that no execution has begun. */
	execution?: string;
	isForgotten?: true;
	/** By item; of a tool by request. */
	entries: Record<string, Entry>;
}

/** Calls that are kept of a tool in an execution, and characters of an answer. */
const mostCalls = 1_000;
const longestOutput = 20_000;

interface Place {
	journal?: Stored;
}

/** Calls of n8n's MCP Server Trigger, which have no execution: by the arguments, those of all tries. */
const callsOutside = rememberBy<object, Place>();

/**
 * What became of the items of a run that must not be carried out twice. It is kept in the node's
 * context, which n8n hands to the next try of 'Retry On Fail' and, with a failed execution, to the
 * one that its Retry starts, on any worker. So both go on where the run stopped: what was accepted
 * comes out with its answer, what may have been stays an error, and only the rest is sent.
 *
 * It is written before a request leaves, and emptied when the run has ended well.
 */
export class Journal {
	private readonly execution: string | undefined;

	/** Each call of a tool is a run of its own: there the message itself has to be the same. */
	private readonly isTool: boolean;

	private readonly stored: Stored;
	private readonly requests: string[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly uncertainty: Uncertainty,
	) {
		this.execution = context.getExecutionId();
		this.isTool = servesAgent(context.getNode());
		const run = this.isTool ? 0 : Number(context.getWorkflowDataProxy(0).$runIndex);
		const place = this.open();
		const before = place.journal;
		const isForgotten = before?.run !== run && this.hasForgotten(before);
		// What an execution that is retried may have begun, its retry takes over first.
		const execution = context.getMode() === 'retry' ? undefined : this.execution;
		this.stored = before?.run === run ? before : { run, execution, entries: {} };
		if (isForgotten) this.stored.isForgotten = true;
		place.journal = this.stored;
	}

	/**
	 * Names the run of an earlier execution that this one is about to go on with: that may happen once.
	 * Undefined where there is none, and for a tool, whose calls may come in any number.
	 */
	get inherited(): string | undefined {
		const { execution, run } = this.stored;
		if (this.isTool || execution === this.execution) return undefined;
		const name = execution ?? this.context.getExecutionContext?.()?.establishedAt;
		return name === undefined ? undefined : `${name} ${run}`;
	}

	/** From now on it is this execution's. */
	inherit(): void {
		this.stored.execution = this.execution;
	}

	/** Whether an earlier execution may have carried out items of this run, and nobody knows which. */
	get isForgotten(): boolean {
		return this.stored.isForgotten === true;
	}

	/**
	 * What became of an item before, if that must not be repeated; `changed` where another request
	 * than now was accepted, or may have been.
	 */
	find(item: number, request: ItemRequest): Result | 'changed' | undefined {
		const name = nameOf(request, this.isTool);
		this.requests[item] = name;
		const entry = this.stored.entries[this.keyOf(item)];
		if (!entry || (entry.isOver && entry.execution === this.execution)) return undefined;
		return entry.request === name ? this.resultOf(entry, item) : 'changed';
	}

	/** The same of an item that cannot be read this time; which message of a tool it is, nobody knows. */
	findUnread(item: number): Result | undefined {
		const entry = this.isTool ? undefined : this.stored.entries[item];
		return entry && this.resultOf(entry, item);
	}

	/** To be told before an item's request leaves. */
	noteSending(item: number): void {
		this.write(item, { kind: 'sending' });
	}

	/** To be told of each result. A question is asked anew, and what was withheld may leave then. */
	note(item: number, result: Result): void {
		if (this.requests[item] === undefined) return;
		if (['asked', 'refused', 'withheld'].includes(result.kind)) this.dropSending(item);
		else if (result.kind === 'unknown') this.write(item, keptOf(result as Failed));
		else this.write(item, bounded(result as Accepted | Skipped));
	}

	/** What earlier tries did and this one did not get to, by item. */
	unvisited(results: Result[]): Array<[item: number, result: Result]> {
		if (this.isTool) return [];
		return Object.entries(this.stored.entries)
			.filter(([item]) => results[Number(item)] === undefined)
			.map(([item, entry]) => [Number(item), this.resultOf(entry, Number(item))]);
	}

	/** To be told at the end of a run. Where n8n may run it again, everything is kept. */
	end(hasFailed: boolean): void {
		const mayStop = this.isTool || !this.context.continueOnFail();
		if (hasFailed && (mayStop || this.context.getNode().retryOnFail)) return;
		if (!this.isTool) this.stored.entries = {};
		for (const request of this.isTool ? this.requests : []) {
			const entry = this.stored.entries[request];
			if (entry) entry.isOver = true;
		}
	}

	private write(item: number, fate: Fate): void {
		const { entries } = this.stored;
		const key = this.keyOf(item);
		const execution = this.isTool ? this.execution : undefined;
		entries[key] = { ...fate, request: this.requests[item]!, ...(execution && { execution }) };
		const calls = this.isTool ? Object.keys(entries) : [];
		if (calls.length > mostCalls) delete entries[calls[0]!];
	}

	private dropSending(item: number): void {
		const key = this.keyOf(item);
		if (this.stored.entries[key]?.kind === 'sending') delete this.stored.entries[key];
	}

	private resultOf(entry: Entry, itemIndex: number): Result {
		if (entry.kind === 'accepted' || entry.kind === 'skipped') {
			const { kind, output, messageId } = entry;
			return { kind, output, messageId };
		}
		const { message, description, httpCode } =
			entry.kind === 'unknown' ? entry : stopped(this.uncertainty);
		const told = { message, description, httpCode, itemIndex };
		const error = nodeApiError(this.context.getNode(), told);
		return { kind: 'unknown', error, description, endsRun: false };
	}

	/**
	 * n8n's Retry of an execution that was not saved at its end. Where it was, and nothing is written
	 * of this run of the node, the run had not begun.
	 */
	private hasForgotten(before: Stored | undefined): boolean {
		if (this.isTool || this.context.getMode() !== 'retry') return false;
		const { source = 'retry' } = this.context.getExecutionContext?.() ?? {};
		const { saveExecutionProgress } = this.context.getWorkflowSettings?.() ?? {};
		if (source === 'retry' || saveExecutionProgress === true) return true;
		const { name } = this.context.getNode();
		return !before && this.context.getWorkflowDataProxy(0).$(name).isExecuted !== false;
	}

	/** The node's context, or what stands for it where a tool is called outside of an execution. */
	private open(): Place {
		if (!this.isTool || this.execution) {
			try {
				return this.context.getContext('node') as Place;
			} catch {
				// n8n has no data of this execution, so it cannot run it again either.
			}
		}
		const call = this.context.getInputData()[0]?.json ?? this;
		const place = callsOutside.get(call) ?? {};
		callsOutside.set(call, place);
		return place;
	}

	private keyOf(item: number): string {
		return this.isTool ? this.requests[item]! : String(item);
	}
}

/** What tells requests apart. A text or a time may be another one at each try, but not of a tool. */
function nameOf({ method, path, recipient, body }: ItemRequest, isTool: boolean): string {
	const told = [method, path, recipient, (isTool || !recipient) && body];
	return createHash('sha256').update(JSON.stringify(told)).digest('base64url');
}

const keptOf = ({ error, description }: Failed) => ({
	kind: 'unknown' as const,
	message: error.message,
	description,
	...(error instanceof NodeApiError && error.httpCode && { httpCode: error.httpCode }),
});

/** An answer that is too long for n8n to keep is its message ID alone. */
function bounded({ kind, output, ...more }: Accepted | Skipped) {
	const messageId = 'messageId' in more ? more.messageId : undefined;
	const isLong = JSON.stringify(output).length > longestOutput;
	return {
		kind,
		output: isLong ? [{ messageId: messageId ?? null }] : output,
		...(messageId !== undefined && { messageId }),
	};
}

const stopped = ({ mayHave, check }: Uncertainty) => ({
	message: `${mayHave}: the execution was stopped before an answer came`,
	description: check,
	httpCode: undefined,
});
