import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { asLine } from '../../text/quote';
import { asSentence, withHint } from '../../text/sentence';
import { isAgentTool } from '../../gateway/agent';
import { asNodeError, type NodeError } from '../../gateway/errors';
import { Abort } from '../../gateway/pacing/abort';
import type { AskedQuestion } from '../question/question';
import { toDryRun } from './dryRun';
import type { Journal } from './journal';
import type { Accepted, Asked, Failed, Result } from './result';

type Row<T extends Result> = T & { item: number };

/** How many rows an error's description lists; its data contains all of them. */
const acceptedInDescription = 100;
const failedInDescription = 10;

/** Collects what became of each item, stops the run if need be, and makes the node's output or error. */
export class Report {
	/** Ends waits and new requests: the execution was cancelled, or an item failed. */
	readonly abort = new Abort();

	/** By item; one without a result was not started. */
	readonly results: Result[] = [];
	private readonly dryRuns: IDataObject[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemCount: number,
		private readonly journal?: Journal,
	) {}

	/** From now on, each result of the item comes out as what would have happened. */
	startDryRun(item: number, known: IDataObject): void {
		this.dryRuns[item] = known;
	}

	isDryRun(item: number): boolean {
		return this.dryRuns[item] !== undefined;
	}

	/** Adds what is known of an item in a dry run; ignored for any other. */
	preview(item: number, known: IDataObject | undefined): void {
		if (this.dryRuns[item]) Object.assign(this.dryRuns[item], known);
	}

	set(item: number, result: Result): void {
		const known = this.dryRuns[item];
		const isTool = isAgentTool(this.context.getNode());
		this.results[item] = known ? toDryRun(known, result, isTool) : result;
		if (!known) this.journal?.note(item, result);
	}

	/** @param cause anything thrown @param endsRun whether it stops the run, unless the node continues */
	fail(item: number, cause: unknown, kind: Failed['kind'], endsRun = true): void {
		const error = asNodeError(this.context.getNode(), cause);
		if (error !== cause) error.context.itemIndex = item;
		this.set(item, { kind, error, description: error.description ?? '', endsRun });
		if (endsRun && !this.context.continueOnFail() && !this.isDryRun(item)) this.abort.stop();
	}

	get hasFailed(): boolean {
		return this.results.some(isFailed);
	}

	/** The question whose answer the execution has to wait for. */
	get question(): AskedQuestion | undefined {
		return this.rows(isAsked)[0]?.question;
	}

	/**
	 * The node's output, in input order.
	 *
	 * @throws the error that ended the run, else the first one, when the node does not continue on
	 * fail; it lists all that was accepted, so that nothing already sent is lost from view
	 */
	outputs(): INodeExecutionData[][] {
		const failed = this.rows(isFailed);
		const decisive = failed.find(({ endsRun }) => endsRun) ?? failed[0];
		const node = this.context.getNode();
		const isTool = isAgentTool(node);
		if (decisive && !this.context.continueOnFail()) {
			const error = this.withSummary(decisive);
			throw isTool ? toToolError(node, error) : error;
		}
		return [
			this.results.flatMap((result, item) =>
				(isFailed(result) ? [toErrorJson(result)] : result.output).map((json) => ({
					json: isTool ? toToolOutput(json) : json,
					pairedItem: { item },
				})),
			),
		];
	}

	/** For n8n's log, since n8n shows no output of a stopped execution. */
	stopLog(): [text: string, data: IDataObject] {
		const accepted = this.rows(isAccepted);
		const inDoubt = this.rows(isFailed).filter(({ kind }) => kind === 'unknown');
		const text = `The execution was stopped. Accepted: ${accepted.length} of ${this.itemCount} items${listAccepted(accepted)}.`;
		return [
			inDoubt.length > 0 ? `${text} ${inDoubt.length} more may have been accepted.` : text,
			{ node: this.context.getNode().name, executionId: this.context.getExecutionId() },
		];
	}

	private rows<T extends Result>(is: (result: Result) => result is T): Array<Row<T>> {
		return this.results.flatMap((result, item) => (is(result) ? [{ ...result, item }] : []));
	}

	/** A sub-workflow that is called again is a new execution, without the journal of this one. */
	private subWorkflowWarning(): string | undefined {
		const mayRepeat = this.results.some(({ kind }) => kind === 'accepted' || kind === 'unknown');
		const options = this.context.getNode().parameters.options as IDataObject | undefined;
		const isKeyed = (options?.deduplicationKey ?? '') !== '';
		if (!this.journal || !mayRepeat || isKeyed || this.context.getMode() !== 'integrated') return;
		return "If the node that calls this sub-workflow has 'Retry On Fail' on, messages that were or may have been accepted are sent twice. Only a 'Deduplication Key' prevents that.";
	}

	private withSummary({ error, description, item }: Row<Failed>): NodeError {
		const accepted = this.rows(isAccepted);
		const warning = this.subWorkflowWarning();
		if (this.itemCount === 1) {
			if (warning) error.description = `${description} ${warning}`.trim();
			return error;
		}
		const failed = this.rows(isFailed).filter((failure) => failure.item !== item);
		const settled = this.results.filter((result) => result !== undefined).length;
		const skipped = this.results.filter(({ kind }) =>
			['skipped', 'withheld'].includes(kind),
		).length;
		const unlisted = failed.slice(failedInDescription);
		const unknown = unlisted.filter(({ kind }) => kind === 'unknown').length;
		const refused = unlisted.length - unknown;

		const lines = [
			`Accepted: ${accepted.length} of ${this.itemCount} items${listAccepted(accepted)}.`,
			skipped > 0 && `Skipped: ${skipped} items.`,
			...failed
				.slice(0, failedInDescription)
				.map((failure) => asSentence(`Item ${failure.item}: ${failure.error.message}`)),
			refused > 0 && `${refused} more items were not accepted.`,
			unknown > 0 && `${unknown} more items have no usable answer and may have been accepted.`,
			settled < this.itemCount && `Not started: ${this.itemCount - settled} items.`,
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

const isAccepted = (result: Result): result is Accepted => result.kind === 'accepted';

const isAsked = (result: Result): result is Asked => result.kind === 'asked';

const isFailed = (result: Result): result is Failed =>
	result.kind === 'refused' || result.kind === 'unknown';

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
