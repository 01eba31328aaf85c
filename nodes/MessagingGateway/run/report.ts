import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { asLine } from '../../text/quote';
import { asSentence, withHint } from '../../text/sentence';
import { isAgentTool } from '../../gateway/agent';
import type { NodeError } from '../../gateway/errors';
import { Abort } from '../../gateway/pacing/abort';
import type { AskedQuestion } from '../question/question';
import { toDryRun } from './dryRun';
import {
	isFailed,
	type Accepted,
	type Asked,
	type Failed,
	type Fate,
	type Result,
	type Taken,
} from './job';
import type { Journal } from './journal/journal';

type Row<T extends Result> = T & { item: number };

/** How many rows an error's description lists; its data contains all of them. */
const acceptedInDescription = 100;
const failedInDescription = 10;

/** Records what becomes of each item, stops the run if need be, and makes the node's output or error. */
export class Report {
	/** Ends waits and new requests: the execution was cancelled, or an item failed. */
	readonly abort = new Abort();

	private readonly isTool: boolean;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly journal?: Journal,
	) {
		this.isTool = isAgentTool(context.getNode());
	}

	/** @returns what the output says of the item: in a dry run, what would have become of it */
	record({ index, preview }: Taken, fate: Fate): Fate {
		if (preview) return fate === 'notStarted' ? fate : toDryRun(preview, fate, this.isTool);
		this.journal?.end(index, fate);
		if (isFailed(fate) && fate.endsRun && !this.context.continueOnFail()) this.abort.stop();
		return fate;
	}

	/** The question whose answer the execution has to wait for. */
	question(fates: Fate[]): AskedQuestion | undefined {
		return rows(fates, isAsked)[0]?.question;
	}

	/**
	 * The node's output, in input order.
	 *
	 * @throws the error that ended the run, else the first one, when the node does not continue on
	 * fail; it lists all that was accepted, so that nothing already sent is lost from view
	 */
	outputs(fates: Fate[]): INodeExecutionData[][] {
		const failures = rows(fates, isFailed);
		const decisive = failures.find(({ endsRun }) => endsRun) ?? failures[0];
		if (decisive && !this.context.continueOnFail()) {
			const error = this.withSummary(decisive, fates);
			throw this.isTool ? toToolError(this.context.getNode(), error) : error;
		}
		return [
			fates.flatMap((fate, item) =>
				jsonOf(fate).map((json) => ({
					json: this.isTool ? toToolOutput(json) : json,
					pairedItem: { item },
				})),
			),
		];
	}

	/** For n8n's log, since n8n shows no output of a stopped execution. */
	stopLog(fates: Fate[]): [text: string, data: IDataObject] {
		const accepted = rows(fates, isAccepted);
		const inDoubt = rows(fates, isFailed).filter(({ kind }) => kind === 'unknown');
		const text = `The execution was stopped. Accepted: ${accepted.length} of ${fates.length} items${listAccepted(accepted)}.`;
		return [
			inDoubt.length > 0 ? `${text} ${inDoubt.length} more may have been accepted.` : text,
			{ node: this.context.getNode().name, executionId: this.context.getExecutionId() },
		];
	}

	/** A sub-workflow that is called again is a new execution, without the journal of this one. */
	private subWorkflowWarning(fates: Fate[]): string | undefined {
		const mayRepeat = fates.some((fate) => ['accepted', 'unknown'].includes(kindOf(fate)));
		const options = this.context.getNode().parameters.options as IDataObject | undefined;
		const isKeyed = (options?.deduplicationKey ?? '') !== '';
		if (!this.journal || !mayRepeat || isKeyed || this.context.getMode() !== 'integrated') return;
		return "If the node that calls this sub-workflow has 'Retry On Fail' on, messages that were or may have been accepted are sent twice. Only a 'Deduplication Key' prevents that.";
	}

	private withSummary({ error, description, item }: Row<Failed>, fates: Fate[]): NodeError {
		const accepted = rows(fates, isAccepted);
		const warning = this.subWorkflowWarning(fates);
		if (fates.length === 1) {
			if (warning) error.description = `${description} ${warning}`.trim();
			return error;
		}
		const failed = rows(fates, isFailed).filter((failure) => failure.item !== item);
		const count = (...kinds: string[]) =>
			fates.filter((fate) => kinds.includes(kindOf(fate))).length;
		const skipped = count('skipped', 'withheld');
		const notStarted = count('notStarted');
		const unlisted = failed.slice(failedInDescription);
		const unknown = unlisted.filter(({ kind }) => kind === 'unknown').length;
		const refused = unlisted.length - unknown;

		const lines = [
			`Accepted: ${accepted.length} of ${fates.length} items${listAccepted(accepted)}.`,
			skipped > 0 && `Skipped: ${skipped} items.`,
			...failed
				.slice(0, failedInDescription)
				.map((failure) => asSentence(`Item ${failure.item}: ${failure.error.message}`)),
			refused > 0 && `${refused} more items were not accepted.`,
			unknown > 0 && `${unknown} more items have no usable answer and may have been accepted.`,
			notStarted > 0 && `Not started: ${notStarted} items.`,
			warning,
		];

		error.description = [description, ...lines].filter(Boolean).join(' ');
		error.context.data = {
			accepted: accepted.map(({ item: index, messageId }) => ({ item: index, messageId })),
			failed: failed.map(({ item: index, error: { message }, kind }) => ({
				item: index,
				error: message,
				outcome: kind,
			})),
		};
		return error;
	}
}

const kindOf = (fate: Fate): string => (fate === 'notStarted' ? fate : fate.kind);

const isAccepted = (fate: Fate): fate is Accepted => kindOf(fate) === 'accepted';

const isAsked = (fate: Fate): fate is Asked => kindOf(fate) === 'asked';

const rows = <T extends Result>(fates: Fate[], is: (fate: Fate) => fate is T): Array<Row<T>> =>
	fates.flatMap((fate, item) => (is(fate) ? [{ ...fate, item }] : []));

/** Of an item that was not started, n8n shows nothing: the execution was stopped. */
function jsonOf(fate: Fate): IDataObject[] {
	if (fate === 'notStarted') return [notStarted];
	return isFailed(fate) ? [toErrorJson(fate)] : fate.output;
}

const notStarted = {
	error: {
		message: 'The execution was stopped before this item was sent',
		hint: 'Nothing was sent for it.',
		outcome: 'refused',
	},
};

/**
 * Has no key but `error`: with another one, n8n before 2.34 takes the item for a success, and on the
 * error output it would replace the input's field of that name.
 */
function toErrorJson({ error, description, kind }: Failed): IDataObject {
	const httpCode = error instanceof NodeApiError && error.httpCode;
	const { message } = error;
	return { error: { message, hint: description, outcome: kind, ...(httpCode && { httpCode }) } };
}

function listAccepted(accepted: Array<Row<Accepted>>): string {
	if (accepted.length === 0) return '';
	const shown = accepted
		.slice(0, acceptedInDescription)
		.map(({ item, messageId }) =>
			messageId ? `item ${item}: ${asLine(messageId)}` : `item ${item}`,
		);
	const more = accepted.length - shown.length;
	return ` (${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

/** Limits of what an agent gets: longer than any hint of this node, deeper than any documented answer. */
const longestText = 1_000;
const deepest = 20;

/** A text for an AI agent: line breaks could pass for instructions, and length costs tokens. */
const asToolText = (text: string): string => asLine(text, longestText);

/** Output for an AI agent: every text in it, also those of the service, is one line of limited length. */
export function toToolOutput<T>(value: T, depth?: number): T;
export function toToolOutput(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') return asToolText(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === deepest) return '…';
	if (Array.isArray(value)) return value.map((entry) => toToolOutput<unknown>(entry, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [asToolText(key), toToolOutput(entry, depth + 1)]),
	);
}

/**
 * The error of a tool, with its hint in the message: often n8n passes on nothing else to the agent.
 *
 * Not a NodeApiError: n8n would replace a message that contains a network code, for example with
 * 'You can retry the request immediately'.
 */
export function toToolError(node: INode, failure: NodeError): NodeOperationError {
	const error = new NodeOperationError(node, failure.message);
	// Set afterwards, since n8n replaces network codes here, too. The hint is never cut off.
	error.message = withHint({
		message: asToolText(failure.message),
		description: asToolText(failure.description ?? ''),
	});
	return error;
}
