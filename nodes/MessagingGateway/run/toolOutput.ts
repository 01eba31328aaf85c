import { NodeOperationError, type INode } from 'n8n-workflow';

import type { NodeError } from '../../gateway/errors';
import { asLine, withHint } from '../../text/quote';

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
