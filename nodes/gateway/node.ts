import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { quoteValue } from '../text/text';

/** A message that says what happened, and a hint what to do about it. */
export interface Problem {
	message: string;
	hint: string;
}

/** The item, node or credential that a value belongs to: makes the error for an invalid one. */
export interface Owner<E extends Error = NodeOperationError> {
	invalid(message: string, hint: string): E;
	/** Returns a value as an error may show it: one short line, without the query of an address. */
	quote(value: string): string;
}

/** Returns the owner of a value of the node, not of an item. */
export const ownerOfNode = (node: INode): Owner => ({
	invalid: (message, hint) => new NodeOperationError(node, message, { description: hint }),
	quote: (value) => quoteValue(value, String),
});

// n8n derives these types from the types of nodes that are usable as a tool.

/** Whether an AI agent reads a node's output. */
export const servesAgent = ({ type }: INode): boolean => type.endsWith('Tool');

/** Whether a node reviews an AI agent's call of a tool. */
export const isHumanReview = ({ type }: INode): boolean => type.endsWith('HitlTool');

/** Whether an AI agent calls a node as a tool. */
export const isAgentTool = (node: INode): boolean => servesAgent(node) && !isHumanReview(node);

/**
 * Whether a node runs in n8n's Engine 2.0, which has no tools. It shows in what a node lacks: a signal
 * of *Stop*, and with it the workflow's time zone and a way to wait.
 */
export const isInEngine2 = (context: IExecuteFunctions): boolean =>
	context.getExecutionCancelSignal() === undefined && !servesAgent(context.getNode());

/** Matches what an expression reads items with. n8n's other variables are the same for all items. */
export const itemData =
	/\$\s*(\(|(json|binary|data|input|items?|itemIndex|thisItem|thisItemIndex|position|node|getPairedItem|evaluateExpression)\b)/;

// The sentences of n8n that this package's behaviour depends on. Each has a test with n8n's own.

/** Whether n8n cannot call a workflow. It says the same of a wrong ID as of one that is not published. */
export const isNotCallable = ({ message }: Error): boolean =>
	message.endsWith(' cannot be called by this workflow') || // by its settings
	/^workflow\b.* (not (active|published)|does not exist)/i.test(message);

/** Whether n8n has ended an execution: it was stopped, its time was up, or n8n shuts down. */
export const isCancellation = ({ message }: Error): boolean => /cancell?ed/i.test(message);

/**
 * Keeps an error that ends an execution from counting as canceled: n8n looks for this word in its
 * message, which may come from the service or an item. An invisible space hides it.
 */
export const asFailure = <E extends Error>(error: E): E =>
	Object.assign(error, { message: error.message.replaceAll('canceled', 'cancel\u200bed') });
