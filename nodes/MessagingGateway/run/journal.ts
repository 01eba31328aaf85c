import { hash } from 'crypto';
import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { servesAgent } from '../../gateway/node';
import { nodeApiError, type Uncertainty } from '../../gateway/errors';
import { inProcess, entryOf } from '../../gateway/maps';
import type { ItemRequest } from '../operation';
import type { Fate } from './job';

/** What is kept of a message that must not be sent again. Contains no secret, as no answer does. */
type Kept =
	| { kind: 'sending'; /** Hash of its deduplication key, claimed before. */ key?: string }
	| { kind: 'accepted' | 'skipped'; output: IDataObject[]; messageId?: string }
	| { kind: 'unknown'; message: string; hint: string; httpCode?: string };

/** With the name of its request; of a tool, with the execution that made the call, and whether it ended well. */
type Line = Kept & { request: string; execution?: string; isOver?: boolean };

/** In the node's context. docs/internals/maintaining.md has all that is stored, and what `v` is for. */
interface Stored {
	v: 1;
	/** The execution that last wrote it; undefined for what no execution has begun. */
	execution?: string;
	isForgotten?: true;
	/** Index of the node's run, as in a loop. */
	run: number | 'calls';
	/** How many keys of n8n's own store the execution uses, in earlier runs and in this one. */
	keys?: { before: number; now: number };
	/** By item index; of a tool, by the name of the request. */
	entries: Record<string, Line>;
}

/**
 * Records which messages must not be sent again. It lives in the node's context, which n8n passes to
 * the next try of 'Retry On Fail' and, with a failed execution, to the one that its Retry starts, on
 * any worker. So both go on where the run stopped: an accepted message comes out with its answer, one
 * that may have been sent stays an error, and only the rest is sent.
 *
 * The items of a run's next try are the same, in the same order. Each call of a tool is a run of its
 * own, so there a message is recognized by its request.
 */
export class Journal {
	private readonly isOfCalls: boolean;
	private readonly execution: string | undefined;
	private readonly stored: Stored;
	/** Whether items of this run may have been sent without a record that can be read here. */
	readonly isForgotten: boolean;
	/** By item, as read here: the name of its request, and the hash of its key. */
	private readonly requests: Array<{ request: string; key?: string }> = [];
	/** Of calls that had ended well before this one began: the agent may make those again. */
	private readonly over: Set<Line>;

	constructor(
		private readonly context: IExecuteFunctions,
		readonly uncertainty: Uncertainty,
	) {
		this.isOfCalls = servesAgent(context.getNode());
		this.execution = context.getExecutionId();
		const run = this.isOfCalls ? 'calls' : (context.getWorkflowDataProxy(0).$runIndex as number);
		const place = nodeContext(context) as { journal?: Stored };
		const before = place.journal?.v === 1 ? place.journal : undefined;
		const isLost = !before && place.journal !== undefined; // of a version with another form
		const stored = before?.run === run ? before : this.begin(run, before, isLost);
		this.stored = place.journal = stored;
		const { execution } = this;
		const savesProgress =
			this.isOfCalls && context.getWorkflowSettings().saveExecutionProgress === true;
		// n8n then saves it after each call, so that only the last one may be missing.
		if (savesProgress && this.inherited !== undefined) this.stored.isForgotten = true;
		this.isForgotten = this.stored.isForgotten === true;
		const lines = Object.values(this.stored.entries);
		this.over = new Set(lines.filter((line) => line.isOver && line.execution === execution));
	}

	/** In which equal calls of a tool take turns: what becomes of one holds for those that came meanwhile. */
	laneOf(request: ItemRequest): string | undefined {
		const { execution, isOfCalls } = this;
		return isOfCalls
			? `${execution} ${this.context.getNode().id} ${namesOf(request, true).at(-1)}`
			: undefined;
	}

	/**
	 * Identifies the run of an earlier execution that this one is about to continue, which may happen
	 * once. Undefined where there is none.
	 */
	get inherited(): string | undefined {
		const { execution, run } = this.stored;
		if (execution === this.execution) return undefined;
		const from = execution ?? this.context.getExecutionContext?.()?.establishedAt;
		return from === undefined ? undefined : `${from} ${run}`;
	}

	/** From now on that run belongs to this execution. */
	inherit(): void {
		this.stored.execution = this.execution;
	}

	/**
	 * The earlier result of an item that must not be sent again.
	 *
	 * - `changed`: a different request was accepted, or may have been.
	 * - `keyKnows`: it left, and its end is not here: n8n may have stored this before it came.
	 *
	 * @param key a unique name of the item's deduplication key
	 */
	read(
		item: number,
		request: ItemRequest,
		key?: string,
	): Fate | 'changed' | 'keyKnows' | undefined {
		// A message's text and time may differ at each try, so it is recognized without its body.
		const names = namesOf(request, this.isOfCalls || !request.message);
		const name = names.find((each) => each in this.stored.entries) ?? names.at(-1)!;
		const own = { request: name, ...(key !== undefined && { key: digestOf(key) }) };
		this.requests[item] = own;
		const line = this.lineOf(item);
		if (!line) return undefined;
		if (line.request !== name) return 'changed';
		const isKnownByKey = line.kind === 'sending' && own.key !== undefined && line.key === own.key;
		return isKnownByKey ? 'keyKnows' : this.toResult(line, item);
	}

	/** The same for an item that could not be read this time, or has not ended. */
	readUnknown(item: number): Fate | undefined {
		const line = this.lineOf(item);
		return line && this.toResult(line, item);
	}

	/** Call before the request of an item that was read here leaves. */
	claim(item: number): void {
		const { key } = this.requests[item]!;
		this.write(item, { kind: 'sending', ...(key !== undefined && { key }) });
	}

	/** Call with what became of an item. */
	end(item: number, fate: Fate): void {
		if (!this.requests[item]) return;
		const kept = toKept(fate);
		if (kept) return this.write(item, kept);
		const before = this.lineOf(item);
		if (before?.kind === 'sending' && before.request === this.requests[item].request) {
			delete this.stored.entries[this.placeOf(item)];
		}
	}

	/** Call at the end of a run. Where n8n may run it again, everything is kept. */
	close(isUnfinished: boolean): void {
		if (this.isOfCalls) {
			if (isUnfinished) return;
			for (const { request } of this.requests) {
				const call = this.stored.entries[request];
				if (call) call.isOver = true;
			}
			return;
		}
		const mayRunAgain = !this.context.continueOnFail() || this.context.getNode().retryOnFail;
		if (!(isUnfinished && mayRunAgain)) this.stored.entries = {};
	}

	/**
	 * Call before keys of n8n's own store are used, with the number of items of this run.
	 *
	 * @returns how many the execution then uses, in all rounds of a loop, the same key twice as two
	 */
	useKeys(items: number): number {
		const keys = (this.stored.keys ??= { before: 0, now: 0 });
		keys.now = this.isOfCalls ? keys.now + items : items;
		return keys.before + keys.now;
	}

	/**
	 * Makes a record where there is none of this run. A run that follows one of this very execution, as
	 * in a loop, is new for certain. In a retry, n8n may have lost the record: it saves a node's context
	 * at the end of an execution only, and not with one that was stopped. Nothing that it shows a node
	 * distinguishes that from a node that had not begun, so the retry first has to take over what the
	 * retried execution may have begun.
	 *
	 * @param isLost whether there is a record that cannot be read here
	 */
	private begin(run: Stored['run'], before: Stored | undefined, isLost: boolean): Stored {
		const { execution } = this;
		const isNew = before !== undefined && before.execution === execution;
		const isForgotten = isLost || (this.context.getMode() === 'retry' && !isNew);
		const keys = before?.keys && { before: before.keys.before + before.keys.now, now: 0 };
		return {
			...{ v: 1, ...(isForgotten ? { isForgotten } : { execution }), run },
			...{ ...(keys && { keys }), entries: {} },
		};
	}

	private placeOf(item: number): string {
		return this.isOfCalls ? (this.requests[item]?.request ?? '') : String(item);
	}

	private lineOf(item: number): Line | undefined {
		const line = this.stored.entries[this.placeOf(item)];
		return line && this.over.has(line) ? undefined : line;
	}

	private write(item: number, kept: Kept): void {
		const { execution, isOfCalls } = this;
		const { request } = this.requests[item]!;
		const line: Line = Object.assign(kept, { request }, isOfCalls && { execution });
		this.stored.entries[this.placeOf(item)] = line;
	}

	/** The result of a message that an earlier try has sent. */
	private toResult(line: Line, itemIndex: number): Fate {
		const { kind } = line;
		if (kind === 'accepted' || kind === 'skipped') {
			const { output, messageId } = line;
			return { kind, output, messageId };
		}
		const { mayHave, check } = this.uncertainty;
		const stopped = {
			message: `${mayHave}: the execution was stopped before an answer came`,
			hint: check,
			httpCode: undefined,
		};
		const { message, hint, httpCode } = kind === 'unknown' ? line : stopped;
		const shown = { message, description: hint, httpCode, itemIndex };
		const error = nodeApiError(this.context.getNode(), shown);
		return { kind: 'unknown', error, hint, endsRun: false };
	}
}

/** Undefined for what the next try may send: a question, a refused or a withheld message. */
function toKept(fate: Fate): Kept | undefined {
	if (fate.kind === 'accepted' || fate.kind === 'skipped') {
		return { ...fate, kind: fate.kind };
	}
	if (fate.kind !== 'unknown') return undefined;
	const { error, hint } = fate;
	const httpCode = error instanceof NodeApiError && error.httpCode;
	const { message } = error;
	return { kind: 'unknown', message, hint, ...(httpCode && { httpCode }) };
}

/** Recognizes a request in a later try. @param isWhole whether its text and file have to be the same */
function namesOf({ method, path, body, message }: ItemRequest, isWhole: boolean): string[] {
	const contents = isWhole ? (message?.contents?.() ?? [[body, undefined]]) : [[]];
	return contents.map((content) =>
		digestOf(JSON.stringify([method, path, message?.recipient, content])),
	);
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url');

/** Calls by n8n's MCP Server Trigger, which have no execution: by their arguments, the same in all tries. */
const callsOutside = inProcess.weakMap<object, IDataObject>();

/**
 * What n8n keeps for the node, to be changed in place: for the next run of a loop, the next try of
 * 'Retry On Fail' and, with a failed execution, its Retry. A substitute where there is no execution, or
 * none that n8n could run again.
 */
function nodeContext(context: IExecuteFunctions): IDataObject {
	try {
		if (context.getExecutionId()) return context.getContext('node');
	} catch {
		// n8n has no data of this execution, so it cannot run it again either.
	}
	const call = context.getInputData()[0]?.json ?? context;
	return entryOf(callsOutside, call, () => ({}));
}
