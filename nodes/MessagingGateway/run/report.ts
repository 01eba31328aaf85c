import { NodeApiError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { asFailure, type NodeError, type Uncertainty } from '../../gateway/errors';
import { isInEngine2 } from '../../gateway/node';
import { toToolError, toToolOutput } from './agents';
import { hintOf } from './hints';
import { isDone, isFailed, notStarted } from './job';
import type { Failed, Fate, FateKind, Taken } from './job';
import type { Run } from './run';
import { sent, Summary, type Named } from './summary';

/** Records what becomes of each item, stops the run if need be, and makes the node's output or error. */
export class Report {
	/** How long messages that leave one at a time took, or would take in a dry run, in ms. */
	pacedMs = 0;

	/** Whether requests may leave. What fails before that keeps the whole list from being sent. */
	hasBegun = false;

	private readonly verb: Pick<Uncertainty, 'does' | 'done'>;
	private readonly recorded: Fate[] = [];
	private readonly destinations: Array<string | undefined> = [];
	/** Of the items' numbers, by their two letters, as far as they are known. */
	private readonly countries: Array<string | undefined> = [];
	private readonly notes: string[] = [];

	constructor(private readonly run: Run) {
		this.verb = run.operation.uncertainty ?? { does: 'does', done: 'done' };
	}

	/** Call with where an item's message goes, once that is known. */
	addressed(index: number, to: string | undefined, country?: string): void {
		this.destinations[index] = to;
		this.countries[index] = country;
	}

	/** What became of the item; in a dry run, what would have. */
	record({ index, preview, isTestMode }: Taken, result: Fate): Fate {
		const { abort, context, isTool, journal } = this.run;
		const fate = preview ? toDryRun(preview, result, isTool) : result;
		if (isTestMode && 'output' in fate) {
			fate.output = fate.output.map((json) => ({ ...json, testMode: true }));
		}
		this.recorded[index] = fate;
		if (preview) return fate;
		journal?.end(index, fate);
		if (isFailed(fate) && fate.endsRun && !context.continueOnFail()) abort.stop();
		return fate;
	}

	get isDryRun(): boolean {
		return this.recorded.every(({ kind }) => kind === 'dryRun');
	}

	/** That an item can't be sent, unless an earlier try may have sent it. */
	refusal({ index, preview }: Taken, cause: unknown): Fate {
		const before = preview ? undefined : this.run.journal?.readUnknown(index);
		return before ?? this.run.failed(index, cause, 'refused');
	}

	/** What is known of each item by now: of one that has not ended, by the journal. */
	fates(): Fate[] {
		return this.run.context.getInputData().map((_, index) => {
			const fate = this.recorded[index] ?? notStarted;
			return fate.kind === 'notStarted' ? (this.run.journal?.readUnknown(index) ?? fate) : fate;
		});
	}

	/**
	 * The node's output, in input order.
	 *
	 * @throws that the execution was canceled, what keeps the list from being sent, or the error that
	 * ended the run or came first, when the node does not continue on fail; its data has what became of
	 * each item
	 */
	outputs(fates: Fate[]): INodeExecutionData[][] {
		const { context, isTool, node } = this.run;
		if (!fates.every(isDone) && !context.continueOnFail()) {
			const error = this.errorOf(fates);
			throw isTool ? toToolError(node, error) : error;
		}
		return [
			fates.flatMap((fate, item) =>
				outputOf(fate, this.name(item)).map((json) => ({
					json: isTool ? toToolOutput(json) : json,
					pairedItem: { item },
				})),
			),
		];
	}

	/**
	 * Shows above the output what became of a list, and what else there is to know. Also of every dry
	 * run, which may have been left on; to people: an agent gets each message's output.
	 */
	show(fates: Fate[]): void {
		const { operation, isTool } = this.run;
		const isOfList = operation.dryRun !== undefined && !operation.waits && fates.length > 1;
		const isShown = isOfList || fates.every(({ kind }) => kind === 'dryRun');
		if (isShown && !isTool) {
			this.showHint(hintOf(fates, this.countries, this.pacedMs));
		}
		for (const message of this.notes) this.showHint({ message, type: 'warning' });
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

	private showHint(hint: { message: string; type: 'info' | 'warning' }): void {
		const { context } = this.run;
		const { addExecutionHints } = context as Partial<typeof context>;
		addExecutionHints?.call(context, { ...hint, location: 'outputPane' });
	}

	private log(text: string, data: IDataObject): void {
		const { context, node } = this.run;
		const executionId = context.getExecutionId();
		context.logger.warn(text, { node: node.name, executionId, ...data });
	}

	private errorOf(fates: Fate[]): NodeError {
		const error = this.endOf(fates);
		return Object.assign(error, {
			description: [error.description, ...this.notes].filter(Boolean).join(' '),
		});
	}

	private endOf(fates: Fate[]): NodeError {
		const { isCanceled, journal, node } = this.run;
		const notHere: FateKind[] = journal?.isForgotten ? ['notStarted'] : [];
		const summary = this.summaryOf(fates, this.isTakenOver ? ['notStarted', 'refused'] : notHere);
		const { decisive } = summary;
		const again = this.again(summary);
		if (isCanceled || !decisive) return summary.errorOfCancel(node, again);
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
		const { hasLastingKey, journal, takesKeys } = this.run;
		const repeatable = summary.count(...sent, 'unknown');
		if (journal?.isForgotten && !hasLastingKey) return 'What was sent before is not known.';
		if (!journal || repeatable === 0 || this.isTakenOver) return undefined;
		const those = repeatable === 1 ? 'that one' : `those ${repeatable}`;
		const { does, done } = this.verb;
		const again = hasLastingKey
			? `The deduplication key keeps ${those} from being ${done} twice, so you can also run the workflow again.`
			: `Running the workflow again ${does} ${those} again.`;
		if (this.isSubWorkflow && !hasLastingKey) {
			return `${again} ${calledAgain(done)}${takesKeys ? ' Only a deduplication key prevents that.' : ''}`;
		}
		if (summary.count('refused', 'notStarted') > 0) {
			const howToGoOn = 'Use Retry in the list of executions: it goes on where this run stopped.';
			return this.isRetriable ? `${again} ${howToGoOn}` : again;
		}
		return hasLastingKey ? undefined : again; // with keys, another run would do the same
	}

	/** Whether another retry has gone on with the run: the error of the items says what to do. */
	private get isTakenOver(): boolean {
		return this.hasBegun && this.run.journal?.inherited !== undefined;
	}

	/** Whether n8n's Retry will find the execution: not in Engine 2.0, nor where failed ones are not saved. */
	private get isRetriable(): boolean {
		const { context } = this.run;
		if (isInEngine2(context)) return false;
		const { saveDataErrorExecution, saveManualExecutions } = context.getWorkflowSettings();
		return context.getMode() === 'manual'
			? saveManualExecutions !== false
			: saveDataErrorExecution !== 'none';
	}

	private get isSubWorkflow(): boolean {
		return this.run.context.getMode() === 'integrated';
	}

	private name(item: number): Named {
		const to = this.destinations[item];
		return to === undefined ? { item } : { item, to };
	}

	private summaryOf(fates: Fate[], maybeSent?: FateKind[]): Summary {
		const rows = fates.map((fate, item) => ({ ...fate, ...this.name(item) }));
		return new Summary(rows, this.verb, maybeSent);
	}
}

/** Called again, it is a new execution, without the journal of this one. */
const calledAgain = (done: string): string =>
	`If n8n calls this sub-workflow again (by 'Retry On Fail' of the node that calls it, or Retry of that execution), what was or may have been ${done} is ${done} twice.`;

/** Of an item that was not started, n8n shows nothing if the execution was stopped. */
function outputOf(fate: Fate, named: Named): IDataObject[] {
	if (fate.kind === 'notStarted') return [{ error: { ...unreached, ...named } }];
	if (isFailed(fate)) return [toErrorJson(fate, named)];
	if (fate.kind !== 'skipped' && fate.kind !== 'withheld') return fate.output;
	const { to } = named;
	return to === undefined ? fate.output : fate.output.map((json) => ({ ...json, to }));
}

const unreached = {
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

/** Keeps an agent from saying that it has sent a message. */
const forAgent = {
	note: 'Nothing was sent: this is a dry run, which shows what would happen to the message.',
};

/**
 * What a dry run makes of an item's result; one that would fail is output, too: `reason` is the `outcome`
 * of a real run, as that of a skipped item is its reason.
 *
 * @param known what is known so far of what would be sent
 */
function toDryRun(known: IDataObject, result: Fate, isTool: boolean): Fate {
	if (result.kind === 'notStarted') return result;
	const why = isFailed(result)
		? { reason: result.kind, explanation: result.error.message, hint: result.description }
		: result.output[0];
	const output = {
		...{ dryRun: true, wouldSend: result.kind === 'accepted' },
		...known,
		...why,
		...(isTool && forAgent),
	};
	const defined = Object.entries(output).filter(([, value]) => value !== undefined);
	return { kind: 'dryRun', output: [Object.fromEntries(defined)] };
}
