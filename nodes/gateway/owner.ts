import { NodeOperationError, type INode } from 'n8n-workflow';

import { quoteValue } from '../text/quote';

/** What happened, and what to do about it. */
export interface Problem {
	message: string;
	description: string;
}

/** The item or node that a value belongs to: makes the error for an invalid one. */
export interface Owner {
	invalid(message: string, description: string): NodeOperationError;
	/** A value as an error may show it: one short line, without the query of an address. */
	quote(value: string): string;
}

/** For a value of the node, not of an item. */
export const ownedBy = (node: INode): Owner => ({
	invalid: (message, description) => new NodeOperationError(node, message, { description }),
	quote: (value) => quoteValue(value, String),
});
