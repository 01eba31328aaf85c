import {
	NodeOperationError,
	NodeApiError,
	type INodeExecutionData,
	type IDataObject,
} from 'n8n-workflow';

import { credentialType } from '../account/credential';
import { warnOfKey } from '../form/fields/deduplication';
import { describeSmsTime } from '../form/fields/scheduleAt';
import type { Item } from '../form/item';
import { asNodeError, type NodeError } from '../n8n/errors';
import { isInEngine2 } from '../n8n/nodeKinds';
import { asFailure } from '../n8n/sentences';
import { firstThreeSentences } from '../text/sentences';
import { toToolError, toToolOutput } from './agents';
import { describeGaps, Tally, type NamedItem } from './describe';
import { failed, notStarted, type Fate, type InputItem, type Job } from './job';
import type { Run } from './run';

/** Records what becomes of each item, stops the run if need be, and makes the node's output or error. */
export class Report {
	/** Whether requests may leave. An item that fails before that keeps the whole list from being sent. */
	hasBegun = false;
	/** Expressions that leave a gap in a text, one for each text that has any. */
	readonly gaps: string[] = [];
	/** The first item with a key. */
	keyed: Item | undefined;
	/** Where the message of each item goes, by the item's index, once that is known. */
	readonly destinations: Array<string | undefined> = [];
	/** When scheduled SMS leave whose account names no time zone for them, by the item's index. */
	private readonly zonelessTimes: unknown[] = [];
	private readonly recorded: Fate[] = [];

	constructor(private readonly run: Run) {}

	/** Records what became of the item, or in a dry run what would have, and returns it. */
	record({ index, preview, account }: InputItem & Partial<Job>, result: Fate): Fate {
		const { abort, context, isTool, journal } = this.run;
		const fate = preview ? toDryRun(preview, result, isTool) : result;
		this.recorded[index] = fate;
		const [sent] = 'output' in fate ? fate.output : [];
		const time = preview ? sent?.wouldSend && sent.sendAt : sent?.scheduledAt;
		journal?.note(index, fate);
		const isZoneless = account && !account.smsScheduleTimezone;
		if (time && sent?.channel === 'sms' && isZoneless) this.zonelessTimes[index] = time;
		if ('error' in fate && fate.endsRun && !context.continueOnFail()) abort.stop();
		return fate;
	}

	get isDryRun(): boolean {
		return this.recorded.every(({ kind }) => kind === 'dryRun');
	}

	/** Returns that an item can't be sent, unless an earlier try may have sent it. */
	toRefusal({ index, preview }: InputItem, cause: unknown): Fate {
		const before = preview ? undefined : this.run.journal?.earlierResult(index);
		return before ?? failed('refused', asNodeError(this.run.node, cause, index));
	}

	/** Returns what is known of each item by now. If one has not ended, the journal may know of an earlier try. */
	collectFates(): Fate[] {
		return this.run.context.getInputData().map((_, index) => {
			const fate = this.recorded[index] ?? notStarted;
			return fate.kind === 'notStarted' ? (this.run.journal?.earlierResult(index) ?? fate) : fate;
		});
	}

	/**
	 * Returns the node's output, in input order.
	 *
	 * @throws the error of the run, unless the node continues on fail; its data has what became of each item
	 */
	toOutputs(fates: Fate[]): INodeExecutionData[][] {
		const { context, isTool, node } = this.run;
		if (!fates.every(isDone) && !context.continueOnFail()) {
			const error = this.errorOf(fates);
			throw isTool ? toToolError(node, error) : error;
		}
		return [
			fates.flatMap((fate, item) =>
				outputOf(fate, this.nameOfItem(item)).map((json) => ({
					json: isTool ? (toToolOutput(json) as IDataObject) : json,
					pairedItem: { item },
				})),
			),
		];
	}

	/**
	 * Shows above the output what became of a list, or of any dry run, which may have been left on, and of a
	 * text with a gap, a key that names no message or an SMS whose time has no zone. An agent gets each message's
	 * output instead.
	 */
	showHint(fates: Fate[]): void {
		const { context, isTool, node, operation } = this.run;
		const { addExecutionHints } = context as Partial<typeof context>;
		if (isTool || !operation.dryRun) return;
		const { gaps, isDryRun, keyed } = this;
		const [time] = Object.values(this.zonelessTimes);
		const sentAs = isDryRun ? ' Would be sent as ' : ' Sent as ';
		const warning = [
			gaps.length > 0 ? describeGaps(gaps, fates) : '',
			keyed ? warnOfKey(keyed, this.destinations[keyed.index]) : '',
			time ? sentAs + describeSmsTime(time, context.getTimezone()) : '',
		].join('');
		if (fates.length <= 1 && !isDryRun && warning === '') return;
		const { name } = node.credentials?.[credentialType] ?? {};
		const hint = this.tallyOf(fates).hintWith(isDryRun, warning, name);
		addExecutionHints?.call(context, { ...hint, location: 'outputPane' });
	}

	/** Writes the results into n8n's log, since n8n shows no output of a stopped execution. */
	logStop(): void {
		const { context, node } = this.run;
		const executionId = context.getExecutionId();
		for (const [text, data] of this.tallyOf(this.collectFates()).log) {
			context.logger.warn(text, { node: node.name, executionId, ...data });
		}
	}

	private errorOf(fates: Fate[]): NodeError {
		const { hasLastingKey, isCanceled, journal, node } = this.run;
		const tally = this.tallyOf(fates);
		const decisive = tally.failed.find(({ endsRun }) => endsRun) ?? tally.failed[0];
		const again = (tally.nextRun = this.describeNextRun(tally));
		if (isCanceled || !decisive) {
			return tally.explainRun(new NodeOperationError(node, 'The execution was canceled'));
		}
		const { endsRun, hint } = decisive;
		const error = asFailure(decisive.error);
		if (fates.length === 1) {
			const warning = this.isSubWorkflow && again && `Beware: ${again}.`;
			return Object.assign(error, { description: firstThreeSentences(hint, warning) });
		}
		if (!this.hasBegun && endsRun) return tally.errorOfList(node);
		// The reason that keeps a whole retry from being sent lies with no single item.
		if (journal?.isForgotten && !hasLastingKey) return tally.explain(error, hint);
		const isTakenOver = journal?.inherited !== undefined;
		if (isTakenOver && tally.select('refused', 'notStarted').length > 0)
			return tally.explain(error, tally.doubt, hint);
		return tally.explainRun(error, decisive);
	}

	/**
	 * Says what another run would do, as the end of a sentence. Where n8n shows the error of a run that was
	 * canceled, after a workflow's time-out, it has stored the journal, too.
	 */
	private describeNextRun(tally: Tally): string | undefined {
		const { context, hasLastingKey, journal } = this.run;
		if (!journal || tally.select('accepted', 'asked', 'unknown').length === 0) return undefined;
		const { does, done } = journal.uncertainty;
		const left = tally.select('refused', 'notStarted').length;
		const [those, are] = left === 1 ? ['that one', 'is'] : [`those ${left}`, 'are'];
		if (hasLastingKey) {
			const only = journal.isForgotten ? 'what is missing is' : `${those} ${are}`;
			return left > 0 ? `run the workflow again, and only ${only} ${done}` : undefined;
		}
		if (this.isSubWorkflow) {
			return `calling this sub-workflow again, as Retry and 'Retry On Fail' do, ${does} all again`;
		}
		const goesOn = left > 0 && !isInEngine2(context); // where Retry begins anew
		return `${goesOn ? `n8n's Retry ${does} only ${those}, ` : ''}a new run ${does} all again`;
	}

	private get isSubWorkflow(): boolean {
		return this.run.context.getMode() === 'integrated';
	}

	private nameOfItem(item: number): NamedItem {
		const to = this.destinations[item];
		return to === undefined ? { item } : { item, to };
	}

	private tallyOf(fates: Fate[]): Tally {
		const rows = fates.map((fate, item) => ({ ...fate, ...this.nameOfItem(item) }));
		return new Tally(rows, this.run.uncertainty);
	}
}

/** Whether nothing is left to do for the item. */
export const isDone = (fate: Fate): boolean => 'output' in fate;

/**
 * Returns the output of an item. An error has no key but `error`: with another one, n8n before 2.34
 * takes the item for a success, and on the error output it would replace the input's field of that name.
 */
function outputOf(fate: Fate, named: NamedItem): IDataObject[] {
	if ('output' in fate) return fate.output;
	const { kind: outcome } = fate;
	// n8n does not show this output if the execution was stopped.
	if (!('error' in fate)) {
		const message = 'The run ended before the turn of this item';
		return [{ error: { message, hint: 'Nothing was sent for it.', outcome, ...named } }];
	}
	const { error, hint } = fate;
	const { message } = error;
	const httpCode = error instanceof NodeApiError && error.httpCode;
	const { answer } = error.context as { answer?: string | IDataObject[] };
	const said = { ...(httpCode && { httpCode }), ...(answer !== undefined && { answer }) };
	return [{ error: { message, hint, outcome, ...named, ...said } }];
}

/**
 * Makes the result of a dry run from what would have become of an item. An item that would fail is output,
 * too: its `reason` is the `outcome` of a real run, as that of a skipped item is its reason.
 *
 * @param known what is known so far of what would be sent
 */
function toDryRun(known: IDataObject, result: Fate, isTool: boolean): Fate {
	if (result.kind === 'notStarted') return result;
	const why =
		'output' in result
			? result.output[0]
			: { reason: result.kind, explanation: result.error.message, hint: result.hint };
	const output = {
		...{ dryRun: true, wouldSend: false },
		...known,
		...why,
		// Without it, an agent could say that it has sent a message.
		...(isTool && {
			note: 'Nothing was sent: this is a dry run, which shows what would happen to the message.',
		}),
	};
	const defined = Object.entries(output).filter(([, value]) => value !== undefined);
	return { kind: 'dryRun', output: [Object.fromEntries(defined)] };
}
