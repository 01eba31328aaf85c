import { NodeOperationError, NodeApiError, type INode } from 'n8n-workflow';

import { quoteValue } from '../text/quote';

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

/** The hint about an expression in a trigger that reads an item. */
export const plainOrVars =
	'Enter plain names and values, or use $vars: there is no item yet, so $json is empty.';

export type NodeError = NodeApiError | NodeOperationError;

export function asNodeError(node: INode, thrown: unknown, itemIndex?: number): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const cause = thrown instanceof Error ? thrown : String(thrown);
	return new NodeOperationError(node, cause, { itemIndex });
}

/** Returns an error with its message, which n8n would replace if it contains a network code. */
export function nodeApiError(
	node: INode,
	details: NonNullable<ConstructorParameters<typeof NodeApiError>[2]> & { message: string },
): NodeApiError {
	return Object.assign(new NodeApiError(node, {}, details), { message: details.message });
}
