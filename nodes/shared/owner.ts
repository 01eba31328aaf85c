import { NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

/** Whose value it is: makes the error of one that cannot be used; the caller throws it. */
export interface Owner {
	invalid(message: string, description: string): NodeOperationError;
}

/** A value of the node as a whole, not of one of its items. */
export const ownedBy = (node: INode): Owner => ({
	invalid: (message, description) => new NodeOperationError(node, message, { description }),
});
