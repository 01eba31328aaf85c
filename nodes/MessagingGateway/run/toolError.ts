import { NodeOperationError } from 'n8n-workflow';
import type { INode, NodeApiError } from 'n8n-workflow';

import { withHint } from '../../text/sentence';
import { asToolText } from './toolOutput';

/**
 * The error of a tool, its hint in the message: often n8n tells the agent nothing but that.
 *
 * Not a NodeApiError, of which n8n would make another error, and replace a message that contains a
 * network code: with 'You can retry the request immediately', for one.
 */
export function toToolError(
	node: INode,
	failure: NodeApiError | NodeOperationError,
): NodeOperationError {
	const error = new NodeOperationError(node, failure.message);
	// Set here, since n8n replaces network codes in this one, too. The hint is never cut off.
	error.message = withHint({
		message: asToolText(failure.message),
		description: asToolText(failure.description ?? ''),
	});
	return error;
}
