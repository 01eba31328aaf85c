import { NodeOperationError, type INode } from 'n8n-workflow';

import { quoteValue } from '../text/quote';

/** Whose value it is: makes the error of one that cannot be used; the caller throws it. */
export interface Owner {
	invalid(message: string, description: string): NodeOperationError;
	/** A value as the error may show it: one line, cut short, of an address no query. */
	quote(value: string): string;
	/** Whether an expression gives the value of a field. Of an item only. */
	isFromExpression?(name: string): boolean;
}

/** A value of the node as a whole, not of one of its items. */
export const ownedBy = (node: INode): Owner => ({
	invalid: (message, description) => new NodeOperationError(node, message, { description }),
	quote: (value) => quoteValue(value, String),
});
