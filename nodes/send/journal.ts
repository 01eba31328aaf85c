import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { hash } from 'crypto';

import { nodeApiError } from '../n8n/errors';
import { servesAgent } from '../n8n/nodeKinds';
import type { Uncertainty } from '../service/requestError';
import { entryOf } from '../text/collections';
import { personOf } from '../text/phoneNumber';
import type { Fate } from './job';
import type { ItemRequest } from './operation';

/** The state of a message that must not be sent again. It contains no secret, as no answer does. */
type EntryState =
	| { kind: 'sending'; /** The hash of its key, claimed before. */ key?: string }
	| { kind: 'accepted' | 'skipped'; output: IDataObject[] }
	| { kind: 'unknown'; message: string; hint: string; httpCode?: string };

/** A state with the digest of its request. A tool's entry has the call's execution, and whether that ended well. */
type JournalEntry = EntryState & { request: string; execution?: string; isOver?: boolean };

/** The journal in the node's context. docs/internals/maintaining.md has all that is stored, and what `v` is for. */
interface StoredJournal {
	v: 1;
	/** The execution that last wrote it; undefined for what no execution has begun. */
	execution?: string;
	isForgotten?: true;
	/** The index of the node's run in the execution, e.g. in a loop. The calls of a tool share one journal. */
	run: number | 'calls';
	/** How many keys of n8n's own store the execution uses, in earlier runs and in this one. */
	keys?: { before: number; now: number };
	/** The entry of each item, by its index. A tool's entries are kept by the digest of the request. */
	entries: Record<string, JournalEntry>;
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
	private readonly isOfTool: boolean;
	private readonly execution: string | undefined;
	private readonly stored: StoredJournal;
	/** The digest of each item's request, and the hash of its key, by item index, as they were read here. */
	private readonly requests: Array<{ request: string; key?: string }> = [];
	/** The entries of calls that had ended well before this one began: the agent may make those calls again. */
	private readonly endedCalls: Set<JournalEntry>;

	constructor(
		private readonly context: IExecuteFunctions,
		readonly uncertainty: Uncertainty,
	) {
		this.isOfTool = servesAgent(context.getNode());
		this.execution = context.getExecutionId();
		const run = this.isOfTool ? 'calls' : (context.getWorkflowDataProxy(0).$runIndex as number);
		const nodeContext = nodeContextOf(context) as { journal?: StoredJournal };
		const before = nodeContext.journal?.v === 1 ? nodeContext.journal : undefined;
		// A version of this node with another `v` wrote a record that cannot be read here.
		const isLost = !before && nodeContext.journal !== undefined;
		const stored = before?.run === run ? before : this.newRecord(run, before, isLost);
		this.stored = nodeContext.journal = stored;
		const savesProgress =
			this.isOfTool && context.getWorkflowSettings().saveExecutionProgress === true;
		// n8n then saves the journal after each call, so that only the last call may be missing.
		if (savesProgress && this.inherited !== undefined) stored.isForgotten = true;
		const isEnded = (entry: JournalEntry) => entry.isOver && entry.execution === this.execution;
		this.endedCalls = new Set(Object.values(stored.entries).filter(isEnded));
	}

	/** Whether items of this run may have been sent without a record that can be read here. */
	get isForgotten(): boolean {
		return this.stored.isForgotten === true;
	}

	/** Returns the lane in which equal calls of a tool take turns: those that wait get the result of the first. */
	laneOf(request: ItemRequest): string | undefined {
		if (!this.isOfTool) return undefined;
		return `${this.execution} ${this.context.getNode().id} ${namesOf(request, true).at(-1)}`;
	}

	/**
	 * Returns an identifier of the earlier execution's run that this one is about to continue, which may
	 * happen once. Undefined where there is none.
	 */
	get inherited(): string | undefined {
		const { execution, run } = this.stored;
		if (execution === this.execution) return undefined;
		const from = execution ?? this.context.getExecutionContext?.()?.establishedAt;
		return from === undefined ? undefined : `${from} ${run}`;
	}

	inherit(): void {
		this.stored.execution = this.execution;
	}

	/**
	 * Returns the earlier result of an item that must not be sent again; undefined: it may be sent.
	 *
	 * - `changed`: a different request was accepted, or may have been.
	 * - `keyKnows`: it left, and its end is not here: n8n may have stored this before it came.
	 *
	 * @param key a unique name of the item's deduplication key
	 */
	recall(
		item: number,
		request: ItemRequest,
		key?: string,
	): Fate | 'changed' | 'keyKnows' | undefined {
		// A message's text and time may differ at each try, so it is recognized without its body.
		const names = namesOf(request, this.isOfTool || !request.message);
		const name = names.find((each) => each in this.stored.entries) ?? names.at(-1)!;
		const own = { request: name, ...(key !== undefined && { key: sha256(key) }) };
		this.requests[item] = own;
		const entry = this.entryOfItem(item);
		if (!entry) return undefined;
		if (entry.request !== name) return 'changed';
		const isKnownByKey = entry.kind === 'sending' && own.key !== undefined && entry.key === own.key;
		return isKnownByKey ? 'keyKnows' : this.toResult(entry, item);
	}

	/** Returns the earlier result of an item whose values could not be read this time, or that has not ended. */
	earlierResult(item: number): Fate | undefined {
		const entry = this.entryOfItem(item);
		return entry && this.toResult(entry, item);
	}

	/** Call before the request of an item that was read here leaves. */
	claim(item: number): void {
		const { key } = this.requests[item]!;
		this.write(item, { kind: 'sending', ...(key !== undefined && { key }) });
	}

	note(item: number, fate: Fate): void {
		if (!this.requests[item]) return;
		const state = toEntryState(fate);
		if (state) return this.write(item, state);
		const before = this.entryOfItem(item);
		if (before?.kind === 'sending' && before.request === this.requests[item].request) {
			delete this.stored.entries[this.entryKey(item)];
		}
	}

	/** Call at the end of a run. Where n8n may run it again, everything is kept. */
	close(isUnfinished: boolean): void {
		if (this.isOfTool) {
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
		keys.now = this.isOfTool ? keys.now + items : items;
		return keys.before + keys.now;
	}

	/**
	 * Makes a record where there is none of this run. A run that follows one of this very execution, as
	 * in a loop, is new for certain. In a retry, n8n may have lost the record: it saves a node's context
	 * at the end of an execution only, and not with one that was stopped. Nothing that it shows a node
	 * distinguishes that from a node that had not begun.
	 *
	 * @param isLost whether there is a record that cannot be read here
	 */
	private newRecord(
		run: StoredJournal['run'],
		before: StoredJournal | undefined,
		isLost: boolean,
	): StoredJournal {
		const { execution } = this;
		const isNew = before !== undefined && before.execution === execution;
		const isForgotten = isLost || (this.context.getMode() === 'retry' && !isNew);
		const keys = before?.keys && { before: before.keys.before + before.keys.now, now: 0 };
		return {
			...{ v: 1, ...(isForgotten ? { isForgotten } : { execution }), run },
			...{ ...(keys && { keys }), entries: {} },
		};
	}

	private entryKey(item: number): string {
		return this.isOfTool ? (this.requests[item]?.request ?? '') : String(item);
	}

	private entryOfItem(item: number): JournalEntry | undefined {
		const entry = this.stored.entries[this.entryKey(item)];
		return entry && this.endedCalls.has(entry) ? undefined : entry;
	}

	private write(item: number, state: EntryState): void {
		const { execution, isOfTool } = this;
		const { request } = this.requests[item]!;
		const entry = Object.assign(state, { request }, isOfTool && { execution });
		this.stored.entries[this.entryKey(item)] = entry;
	}

	private toResult(entry: JournalEntry, itemIndex: number): Fate {
		const { kind } = entry;
		if (kind === 'accepted' || kind === 'skipped') return { kind, output: entry.output };
		const { mayHave, check } = this.uncertainty;
		const stopped = `${mayHave}: the execution was stopped before an answer came`;
		const { message, hint, httpCode } =
			kind === 'unknown' ? entry : { message: stopped, hint: check, httpCode: undefined };
		const shown = { message, description: hint, httpCode, itemIndex };
		const error = nodeApiError(this.context.getNode(), shown);
		return { kind: 'unknown', error, hint, endsRun: false };
	}
}

/** Returns what to record; undefined: the next try may send it, as a question, a refused or a withheld message. */
function toEntryState(fate: Fate): EntryState | undefined {
	if (fate.kind === 'accepted' || fate.kind === 'skipped') return { ...fate, kind: fate.kind };
	if (fate.kind !== 'unknown') return undefined;
	const { error, hint, kind } = fate;
	const httpCode = error instanceof NodeApiError && error.httpCode;
	return { kind, message: error.message, hint, ...(httpCode && { httpCode }) };
}

/**
 * Returns the digest of a request. One whose time has passed has two, since it may follow a call from before.
 *
 * @param isWhole whether its text, file and time have to be the same in a later try
 */
function namesOf({ method, path, body, message }: ItemRequest, isWhole: boolean): string[] {
	const to = message && personOf(message.recipient);
	if (!isWhole) return [sha256(JSON.stringify([method, path, to]))];
	const { contents = body, scheduledAt } = message ?? {};
	const nameAt = (time?: number) =>
		sha256(JSON.stringify([method, path, to, contents, time ?? 'now']));
	if (scheduledAt === undefined) return [nameAt()];
	return scheduledAt > Date.now() ? [nameAt(scheduledAt)] : [nameAt(scheduledAt), nameAt()];
}

const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** The contexts of calls by n8n's MCP Server Trigger, which have no execution, by their arguments. */
const callsOutside = new WeakMap<object, IDataObject>();

/** Returns n8n's context of the node, or a substitute where there is no execution that n8n could run again. */
function nodeContextOf(context: IExecuteFunctions): IDataObject {
	try {
		if (context.getExecutionId()) return context.getContext('node');
	} catch {
		// n8n has no data of this execution, so it cannot run it again either.
	}
	const call = context.getInputData()[0]?.json ?? context;
	return entryOf(callsOutside, call, () => ({}));
}
