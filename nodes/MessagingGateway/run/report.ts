import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

type NodeError = NodeApiError | NodeOperationError;

interface Failure {
	item: number;
	error: NodeError;
	outcome: 'refused' | 'unknown';
}

interface Accepted {
	item: number;
	messageId?: string;
}

/** Rows that fit into an error's description; its data holds all of them. */
const acceptedInDescription = 100;
const failedInDescription = 10;

/** Collects what became of each item, in input order, and makes the node's output or error of it. */
export class Report {
	private readonly outputs: INodeExecutionData[][] = [];

	private readonly accepted: Accepted[] = [];

	private readonly failures: Failure[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemCount: number,
	) {}

	succeed(item: number, output: IDataObject[], messageId?: string): void {
		this.outputs[item] = output.map((json) => ({ json, pairedItem: { item } }));
		this.accepted.push({ item, messageId });
	}

	/** An item that needed no request. */
	skip(item: number, json: IDataObject): void {
		this.outputs[item] = [{ json, pairedItem: { item } }];
	}

	/** Any error is taken, and made one of n8n's. */
	fail(item: number, cause: unknown, outcome: Failure['outcome']): void {
		const error = this.toNodeError(cause, item);
		this.failures.push({ item, error, outcome });
		// n8n sends an item to the error branch only if it has no other keys than these three.
		const json: IDataObject = {
			error: error.message,
			...(error.description && { message: error.description }),
			details: {
				outcome,
				...(error instanceof NodeApiError && error.httpCode && { httpCode: error.httpCode }),
			},
		};
		this.outputs[item] = [{ json, pairedItem: { item } }];
	}

	/**
	 * The node's output.
	 *
	 * @throws the error of the first failure when the node does not continue on fail, with all that
	 * was accepted, so that nothing already sent is lost from view
	 */
	result(): INodeExecutionData[][] {
		const [first] = this.failures;
		if (first && !this.context.continueOnFail()) throw this.withSummary(first);
		return [this.outputs.flat()];
	}

	private toNodeError(cause: unknown, itemIndex: number): NodeError {
		if (cause instanceof NodeApiError || cause instanceof NodeOperationError) return cause;
		const error = cause instanceof Error ? cause : new Error(String(cause));
		return new NodeOperationError(this.context.getNode(), error, { itemIndex });
	}

	private withSummary({ error, item }: Failure): NodeError {
		if (this.itemCount === 1) return error;
		const inOrder = <T extends { item: number }>(rows: T[]) =>
			[...rows].sort((a, b) => a.item - b.item);
		const accepted = inOrder(this.accepted);
		const failed = inOrder(this.failures).filter((failure) => failure.item !== item);
		const settled = this.outputs.filter((output) => output !== undefined).length;
		const skipped = settled - accepted.length - this.failures.length;
		const unlisted = failed.slice(failedInDescription);

		const lines = [
			`Accepted: ${accepted.length} of ${this.itemCount} items${listAccepted(accepted)}.`,
			skipped > 0 && `Skipped: ${skipped} items whose key was accepted before.`,
			...failed
				.slice(0, failedInDescription)
				.map((failure) => `Item ${failure.item}: ${failure.error.message}.`),
			unlisted.length > 0 && describeUnlisted(unlisted),
			settled < this.itemCount && `Not started: ${this.itemCount - settled} items.`,
		].filter((line) => line !== false);

		error.description = [error.description, ...lines].filter(Boolean).join(' ');
		error.context.data = {
			accepted,
			failed: failed.map(({ item: index, error: { message }, outcome }) => ({
				item: index,
				error: message,
				outcome,
			})),
		};
		return error;
	}
}

function describeUnlisted(failures: Failure[]): string {
	const unknown = failures.filter(({ outcome }) => outcome === 'unknown').length;
	const refused = failures.length - unknown;
	return [
		refused > 0 && `${refused} more items were not accepted.`,
		unknown > 0 && `${unknown} more items have no usable answer and may have been accepted.`,
	]
		.filter(Boolean)
		.join(' ');
}

function listAccepted(accepted: Accepted[]): string {
	if (accepted.length === 0) return '';
	const shown = accepted
		.slice(0, acceptedInDescription)
		.map(({ item, messageId }) => (messageId ? `item ${item}: ${messageId}` : `item ${item}`));
	const more = accepted.length - shown.length;
	return ` (${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}
