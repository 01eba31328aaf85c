import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Entered } from '../../form/entered';
import { hasLastingKey } from '../../form/fields/deduplication';
import { isAgentTool } from '../../gateway/node';
import { asFailure, type NodeError, type Uncertainty } from '../../gateway/errors';
import { Abort } from '../../gateway/pacing/time';
import type { AskedQuestion } from '../question/question';
import { toDryRun } from './explain';
import {
	failed,
	isDone,
	isFailed,
	kindOf,
	type Asked,
	type Failed,
	type Fate,
	type FateKind,
	type Taken,
} from './job';
import type { Journal } from './journal';
import { Summary, type Named } from './summary';
import { toToolError, toToolOutput } from './toolOutput';

/** Records what becomes of each item, stops the run if need be, and makes the node's output or error. */
export class Report {
	/** Ends waits and new requests: the execution was cancelled, or an item failed. */
	readonly abort = new Abort();

	/** Of the items' numbers, by their two letters, as far as they are known. */
	readonly countries: Array<string | undefined> = [];

	/** How long messages that leave one at a time took, or would take in a dry run, in ms. */
	pacedMs = 0;

	/** Whether the node has keys that are the same in another run. */
	readonly hasLastingKey: boolean;
	private readonly isTool: boolean;
	private readonly destinations: Array<string | undefined> = [];
	private readonly recorded: Fate[] = [];
	readonly notes: string[] = [];
	private hasBegun = false;

	/** The journal only of an operation that must not be repeated. */
	constructor(
		private readonly context: IExecuteFunctions,
		readonly journal?: Journal,
		private readonly verb: Pick<Uncertainty, 'does' | 'done'> = { does: 'does', done: 'done' },
	) {
		const entered = new Entered(context);
		this.hasLastingKey = hasLastingKey(entered);
		this.isTool = isAgentTool(entered.node);
	}

	/** Call with where an item's message goes, once that is known. */
	addressed(index: number, to: string | undefined, country?: string): void {
		this.destinations[index] = to;
		this.countries[index] = country;
	}

	/** Call once requests may leave. What fails before that keeps the whole list from being sent. */
	begin(): void {
		this.hasBegun = true;
	}

	/** What became of the item; in a dry run, what would have. */
	record(taken: Taken, result: Fate): Fate {
		const { index, preview, testMode } = taken;
		const isMarked = testMode && typeof result === 'object' && 'output' in result;
		const fate = isMarked
			? { ...result, output: result.output.map((json) => ({ ...json, ...testMode })) }
			: result;
		const isShown = preview !== undefined && fate !== 'notStarted';
		this.recorded[index] = isShown
			? toDryRun({ ...testMode, ...preview }, fate, this.isTool)
			: fate;
		if (preview) return this.recorded[index];
		this.journal?.end(index, fate);
		if (isFailed(fate) && fate.endsRun && !this.context.continueOnFail()) this.abort.stop();
		return fate;
	}

	/** That an item can't be sent, unless an earlier try may have sent it. */
	refusal({ index, preview }: Taken, cause: unknown): Fate {
		const before = preview ? undefined : this.journal?.readUnknown(index);
		return before ?? failed(this.context.getNode(), index, cause, 'refused');
	}

	/** What is known of each item by now: of one that has not ended, by the journal. */
	fates(): Fate[] {
		return this.context.getInputData().map((_, index) => {
			const fate = this.recorded[index] ?? 'notStarted';
			return fate === 'notStarted' ? (this.journal?.readUnknown(index) ?? fate) : fate;
		});
	}

	/** The question whose answer the execution has to wait for. */
	question(fates: Fate[]): AskedQuestion | undefined {
		return fates.find(isAsked)?.question;
	}

	/**
	 * The node's output, in input order.
	 *
	 * @throws that the execution was canceled, what keeps the list from being sent, or the error that
	 * ended the run or came first, when the node does not continue on fail; its data has what became of
	 * each item
	 */
	outputs(fates: Fate[]): INodeExecutionData[][] {
		if (!fates.every(isDone) && !this.context.continueOnFail()) {
			const error = this.errorOf(fates);
			throw this.isTool ? toToolError(this.context.getNode(), error) : error;
		}
		return [
			fates.flatMap((fate, item) =>
				this.jsonOf(fate, item).map((json) => ({
					json: this.isTool ? toToolOutput(json) : json,
					pairedItem: { item },
				})),
			),
		];
	}

	/** Goes into n8n's log, since n8n shows no output of a stopped execution. */
	logStop(): void {
		for (const entry of this.summaryOf(this.fates()).log) this.log(...entry);
	}

	/** What else there is to know of a run: in n8n's log, and beside its output or in its error. */
	note(text: string, items: number[]): void {
		this.notes.push(text);
		this.log(text, { items });
	}

	private log(text: string, data: IDataObject): void {
		const { name } = this.context.getNode();
		const executionId = this.context.getExecutionId();
		this.context.logger.warn(text, { node: name, executionId, ...data });
	}

	private errorOf(fates: Fate[]): NodeError {
		const error = this.endOf(fates);
		return Object.assign(error, {
			description: [error.description, ...this.notes].filter(Boolean).join(' '),
		});
	}

	private endOf(fates: Fate[]): NodeError {
		const notHere: FateKind[] = this.journal?.isForgotten ? ['notStarted'] : [];
		const summary = this.summaryOf(fates, this.isTakenOver ? ['notStarted', 'refused'] : notHere);
		const { decisive } = summary;
		const node = this.context.getNode();
		const again = this.again(summary);
		if (this.isCanceled || !decisive) return summary.errorOfCancel(node, again);
		const { error, description, endsRun } = decisive;
		asFailure(error);
		if (fates.length > 1) {
			const isOfList = !this.hasBegun && endsRun;
			return isOfList ? summary.errorOfList(node, again) : summary.errorOfRun(decisive, again);
		}
		if (again && this.isSubWorkflow) error.description = `${description} ${again}`.trim();
		return error;
	}

	/**
	 * What another run would do with what this one did. Where n8n shows the error of a run that was
	 * canceled, after a workflow's time-out, it has stored the journal, too.
	 */
	private again(summary: Summary): string | undefined {
		const { journal } = this;
		const repeatable = summary.count('sent', 'inDoubt');
		if (journal?.isForgotten) return 'What was sent before is not known.';
		if (!journal || repeatable === 0 || this.isTakenOver) return undefined;
		const those = repeatable === 1 ? 'that one' : `those ${repeatable}`;
		const { does, done } = this.verb;
		const again = this.hasLastingKey
			? `The deduplication key keeps ${those} from being ${done} twice, so you can also run the workflow again.`
			: `Running the workflow again ${does} ${those} again.`;
		if (this.isSubWorkflow && !this.hasLastingKey) return `${again} ${ofSubWorkflow}`;
		if (summary.count('failed', 'notStarted') > 0) {
			return `${again} Use Retry in the list of executions: it goes on where this run stopped.`;
		}
		return this.hasLastingKey ? undefined : again; // with keys, another run would do the same
	}

	/** Whether another retry has gone on with the run: the error of the items says what to do. */
	private get isTakenOver(): boolean {
		return this.hasBegun && this.journal?.inherited !== undefined;
	}

	private get isCanceled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted === true;
	}

	private get isSubWorkflow(): boolean {
		return this.context.getMode() === 'integrated';
	}

	private readonly name = (item: number): Named => {
		const to = this.destinations[item];
		return to === undefined ? { item } : { item, to };
	};

	private summaryOf(fates: Fate[], maybeSent?: FateKind[]): Summary {
		return new Summary(fates, this.name, this.verb, maybeSent);
	}

	/** Of an item that was not started, n8n shows nothing if the execution was stopped. */
	private jsonOf(fate: Fate, item: number): IDataObject[] {
		if (fate === 'notStarted') return [{ error: { ...notStarted, ...this.name(item) } }];
		if (isFailed(fate)) return [toErrorJson(fate, this.name(item))];
		if (fate.kind !== 'skipped' && fate.kind !== 'withheld') return fate.output;
		const { to } = this.name(item);
		return to === undefined ? fate.output : fate.output.map((json) => ({ ...json, to }));
	}
}

const isAsked = (fate: Fate): fate is Asked => kindOf(fate) === 'asked';

/** Called again, it is a new execution, without the journal of this one. */
const ofSubWorkflow =
	"If n8n calls this sub-workflow again (by 'Retry On Fail' of the node that calls it, or Retry of that execution), messages that were or may have been accepted are sent twice. Only a deduplication key prevents that.";

const notStarted = {
	message: 'The run ended before the turn of this item',
	hint: 'Nothing was sent for it.',
	outcome: 'notStarted',
};

/**
 * Has no key but `error`: with another one, n8n before 2.34 takes the item for a success, and on the
 * error output it would replace the input's field of that name.
 */
function toErrorJson({ error, description, kind }: Failed, named: Named): IDataObject {
	const httpCode = error instanceof NodeApiError && error.httpCode;
	const { message } = error;
	const json = { message, hint: description, outcome: kind, ...named };
	return { error: { ...json, ...(httpCode && { httpCode }) } };
}
