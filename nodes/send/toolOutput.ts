import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import type { NodeError } from '../n8n/errors';
import { asLine } from '../text/quote';
import { withHint } from '../text/sentences';

/** These limits of what an agent gets are above any hint of this node and any documented answer. */
const longestToolText = 1_000;
const deepestToolOutput = 20;

/** Shortens a text to one line for an AI agent: line breaks could pass for instructions, and length costs tokens. */
const asToolText = (text: string): string => asLine(text, longestToolText);

/** Makes the output for an AI agent, in which every text, also one of the service, is a short line. */
export const toToolOutput = (json: IDataObject): IDataObject => shorten(json, 0) as IDataObject;

function shorten(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return asToolText(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === deepestToolOutput) return '…';
	if (Array.isArray(value)) return value.map((each) => shorten(each, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [asToolText(key), shorten(each, depth + 1)]),
	);
}

/**
 * Makes the error of a tool, with its hint in the message, since n8n often passes nothing else on to the agent.
 *
 * It is no NodeApiError, because n8n would replace a message that contains a network code, for example
 * with 'You can retry the request immediately'.
 */
export function toToolError(node: INode, failure: NodeError): NodeOperationError {
	const error = new NodeOperationError(node, failure.message);
	// The message is set afterwards, since n8n replaces network codes here, too. The hint is never cut off.
	error.message = withHint({
		message: asToolText(failure.message),
		description: asToolText(failure.description ?? ''),
	});
	return error;
}
