import { NodeOperationError } from 'n8n-workflow';
import type { INode, NodeApiError } from 'n8n-workflow';

import { asSentence } from '../../shared/sentence';

/**
 * The error of a tool, its hint in the message: often n8n tells the agent nothing but that.
 *
 * Not a NodeApiError, of which n8n would make another error, and replace a message that contains a
 * network code: with 'You can retry the request immediately', for one.
 */
export function toToolError(
	node: INode,
	{ message, description }: NodeApiError | NodeOperationError,
): NodeOperationError {
	const error = new NodeOperationError(node, message);
	error.message = [asSentence(message), description].filter(Boolean).join(' '); // n8n replaces this one, too
	return error;
}
