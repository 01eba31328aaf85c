import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type ICredentialDataDecryptedObject as Credential,
} from 'n8n-workflow';

import { credentialType, itemFields, credentialFields } from '../account/credential';
import { enteredKey, isPerNumber } from '../form/fields/deduplication';
import type { Entered } from '../form/item';
import { restoreItem, itemData, callerOf } from '../n8n/agentItems';
import { ownerOfNode, type NodeError } from '../n8n/errors';
import { asLine } from '../text/quote';
import { withHint } from '../text/sentences';
import type { Operation } from './operation';

const callData = /\$(fromAI|parameter)\b/i;

/**
 * Makes a tool take nothing from another item than the one that the AI agent is working on: of several
 * items, n8n evaluates expressions for the first one, or another.
 *
 * @throws NodeOperationError about the first field, also of the credential, that may take its value from
 * another item
 */
export async function useItemOfCall(
	context: IExecuteFunctions,
	entered: Entered,
	{ fields, options = [] }: Operation,
): Promise<void> {
	if (restoreItem(context)) return;
	const isFromItem = (...path: string[]) =>
		entered.hasExpression(...path) && itemData.test(JSON.stringify(entered.at(...path)));
	const credential = await context.getCredentials<Credential>(credentialType, 0);
	const names = String(credential[itemFields.name]).split(',');
	const field =
		fields.find(({ name }) => isFromItem(name)) ??
		options.find(({ name }) => isFromItem('options', name)) ??
		Object.values(credentialFields).find(({ name }) => names.includes(name)) ??
		(names.at(-1) === itemFields.name ? undefined : itemFields);
	const key = enteredKey(entered);
	const isSameKey = key !== '' && !isPerNumber(entered) && !callData.test(key);
	const { length: count } = callerOf(context).items ?? [];
	if (!field && !(isSameKey && count > 1)) return;
	throw ownerOfNode(entered.node).invalid(
		field
			? `'${field.displayName}' comes from your data, but n8n does not say which item this call is for`
			: `The deduplication key is the same for all ${count} items of the AI agent`,
		'Nothing was sent. Give the AI agent one item at a time: put it in a Loop Over Items node with a batch size of 1 and use {{ $json… }}, or move it to a workflow of its own that such a loop calls.',
	);
}

/** These limits of what an agent gets are above any hint of this node and any documented answer. */
const longestToolText = 1_000;
const deepestToolOutput = 20;

/** Shortens a text to one line for an AI agent: line breaks could pass for instructions, and length costs tokens. */
const asToolText = (text: string): string => asLine(text, longestToolText);

/** Makes the output for an AI agent, in which every text, also one of the service, is a short line. */
export function toToolOutput(value: unknown, depth = 0): unknown {
	if (typeof value === 'string') return asToolText(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === deepestToolOutput) return '…';
	if (Array.isArray(value)) return value.map((each) => toToolOutput(each, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [asToolText(key), toToolOutput(each, depth + 1)]),
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
