import { createHash } from 'crypto';
import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { servesAgent } from '../../gateway/agent';
import { nodeApiError, type Uncertainty } from '../../gateway/errors';
import { rememberBy } from '../../gateway/memory';
import type { ItemRequest } from '../operation';
import type { Failed, Result } from './result';

/** What is kept of an item that must not be sent again. */
type Entry = {
	/** Hash of the request, to recognize it in a later try. */
	request: string;
	/** Of a tool call: the execution that made it, and whether the call has ended well. */
	execution?: string;
	isOver?: boolean;
} & Fate;

type Fate =
	| { kind: 'sending' }
	| { kind: 'accepted' | 'skipped'; output: IDataObject[]; messageId?: string }
	| { kind: 'unknown'; message: string; description: string; httpCode?: string };

/** As n8n stores it with a failed execution. Contains no secret: answers and errors come without. */
interface Stored {
	/** Index of the node's run, as in a loop. */
	run: number;
	/** The execution that last wrote it; undefined for a run that no execution has begun. */
	execution?: string;
	isForgotten?: true;
	/** By item index; for a tool, by request. */
	entries: Record<string, Entry>;
}

/** Limits: tool calls per execution, and characters of an answer. */
const mostCalls = 1_000;
const longestOutput = 20_000;

interface Place {
	journal?: Stored;
}

/** Calls by n8n's MCP Server Trigger, which have no execution: by their arguments, the same in all tries. */
const callsOutside = rememberBy<object, Place>();

/**
 * Records which items of a run must not be sent again. It lives in the node's context, which n8n
 * passes to the next try of 'Retry On Fail' and, with a failed execution, to the one that its Retry
 * starts, on any worker. So both go on where the run stopped: an accepted item comes out with its
 * answer, one that may have been sent stays an error, and only the rest is sent.
 *
 * An entry is written before its request leaves; all are removed once the run has ended well.
 */
export class Journal {
	private readonly execution: string | undefined;

	/** Each call of a tool is a run of its own, so items are recognized by the message itself. */
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
		// A retry first has to take over what the retried execution may have begun.
		const execution = context.getMode() === 'retry' ? undefined : this.execution;
		this.stored = before?.run === run ? before : { run, execution, entries: {} };
		if (isForgotten) this.stored.isForgotten = true;
		place.journal = this.stored;
	}

	/**
	 * Identifies the run of an earlier execution that this one is about to continue, which may happen
	 * once. Undefined where there is none, and for a tool, which may be called any number of times.
	 */
	get inherited(): string | undefined {
		const { execution, run } = this.stored;
		if (this.isTool || execution === this.execution) return undefined;
		const name = execution ?? this.context.getExecutionContext?.()?.establishedAt;
		return name === undefined ? undefined : `${name} ${run}`;
	}

	/** From now on the run belongs to this execution. */
	inherit(): void {
		this.stored.execution = this.execution;
	}

	/** Whether an earlier execution may have sent items of this run without leaving a record. */
	get isForgotten(): boolean {
		return this.stored.isForgotten === true;
	}

	/**
	 * The earlier result of an item that must not be sent again; `changed` where a different request
	 * was accepted, or may have been.
	 */
	find(item: number, request: ItemRequest): Result | 'changed' | undefined {
		const name = nameOf(request, this.isTool);
		this.requests[item] = name;
		const entry = this.stored.entries[this.keyOf(item)];
		if (!entry || (entry.isOver && entry.execution === this.execution)) return undefined;
		return entry.request === name ? this.resultOf(entry, item) : 'changed';
	}

	/** The same for an item that cannot be read this time. A tool's message is then unknown. */
	findUnread(item: number): Result | undefined {
		const entry = this.isTool ? undefined : this.stored.entries[item];
		return entry && this.resultOf(entry, item);
	}

	/** Call before an item's request leaves. */
	noteSending(item: number): void {
		this.write(item, { kind: 'sending' });
	}

	/** Call with each result. A question, a refused or a withheld message may be sent by the next try. */
	note(item: number, result: Result): void {
		if (this.requests[item] === undefined) return;
		const { kind } = result;
		if (kind === 'unknown') {
			const { error, description } = result as Failed;
			const httpCode = error instanceof NodeApiError && error.httpCode;
			this.write(item, {
				kind,
				message: error.message,
				description,
				...(httpCode && { httpCode }),
			});
		} else if (kind === 'accepted' || kind === 'skipped') {
			const messageId = result.kind === 'accepted' ? result.messageId : undefined;
			const isLong = JSON.stringify(result.output).length > longestOutput;
			const output = isLong ? [{ messageId: messageId ?? null }] : result.output;
			this.write(item, { kind, output, ...(messageId !== undefined && { messageId }) });
		} else if (this.stored.entries[this.keyOf(item)]?.kind === 'sending') {
			delete this.stored.entries[this.keyOf(item)];
		}
	}

	/** Results of earlier tries for items that this one did not reach. */
	unvisited(results: Result[]): Array<[item: number, result: Result]> {
		if (this.isTool) return [];
		return Object.entries(this.stored.entries)
			.filter(([item]) => results[Number(item)] === undefined)
			.map(([item, entry]) => [Number(item), this.resultOf(entry, Number(item))]);
	}

	/** Call at the end of a run. Where n8n may run it again, everything is kept. */
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

	private resultOf(entry: Entry, itemIndex: number): Result {
		if (entry.kind === 'accepted' || entry.kind === 'skipped') {
			const { kind, output, messageId } = entry;
			return { kind, output, messageId };
		}
		const { message, description, httpCode } =
			entry.kind === 'unknown' ? entry : stopped(this.uncertainty);
		const texts = { message, description, httpCode, itemIndex };
		const error = nodeApiError(this.context.getNode(), texts);
		return { kind: 'unknown', error, description, endsRun: false };
	}

	/**
	 * Whether n8n retries an execution that it did not save at its end. If it did save it and there is
	 * no record of this run of the node, the run had not begun.
	 */
	private hasForgotten(before: Stored | undefined): boolean {
		if (this.isTool || this.context.getMode() !== 'retry') return false;
		const { source = 'retry' } = this.context.getExecutionContext?.() ?? {};
		const { saveExecutionProgress } = this.context.getWorkflowSettings?.() ?? {};
		if (source === 'retry' || saveExecutionProgress === true) return true;
		const { name } = this.context.getNode();
		return !before && this.context.getWorkflowDataProxy(0).$(name).isExecuted !== false;
	}

	/** The node's context, or a substitute for a tool call outside of an execution. */
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

/** Leaves out the body of a message, since text and time may differ at each try; but not for a tool. */
function nameOf({ method, path, recipient, body }: ItemRequest, isTool: boolean): string {
	const parts = [method, path, recipient, (isTool || !recipient) && body];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const stopped = ({ mayHave, check }: Uncertainty) => ({
	message: `${mayHave}: the execution was stopped before an answer came`,
	description: check,
	httpCode: undefined,
});
