import {
	NodeOperationError,
	type ICredentialDataDecryptedObject as Credential,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type IRunExecutionData,
} from 'n8n-workflow';

import type { Entered } from '../../form/item';
import { enteredKey, isPerNumber } from '../../form/fields/deduplication';
import { credentialType } from '../../gateway/client';
import { credentialFields, itemFields } from '../../gateway/credential';
import type { NodeError } from '../../gateway/errors';
import { itemData, ownerOfNode } from '../../gateway/node';
import { asLine, withHint } from '../../text/text';
import type { Operation } from '../operation';

/** The part of what n8n offers expressions that this package reads. */
interface DataProxy {
	/** @throws where there is no such output or run */
	$items(node: string, output: number, run: number): INodeExecutionData[];
	/** The index of this call. */
	$runIndex: number;
	/** `runIndex` is the index of the last call of each node. */
	$node: Record<string, { runIndex: number }>;
}

export const dataProxyOf = (context: IExecuteFunctions) =>
	context.getWorkflowDataProxy(0) as unknown as DataProxy;

/** The part of a call's context that n8n does not document. Without it, what reads an item is refused. */
interface ToolContext {
	/** The items that expressions and the credential read. */
	connectionInputData?: INodeExecutionData[];
	runExecutionData?: IRunExecutionData;
}

/** Returns the items of the AI agent that makes a call, if n8n says, and the name of one of version 3 or later. */
export function callerOf(context: IExecuteFunctions) {
	const { connectionInputData: inputs, runExecutionData } = context as ToolContext;
	const caller: { items?: INodeExecutionData[]; agent?: string } = {};
	// Agents before version 3 give a tool their own items, all of them.
	if (!inputs?.[0] || !('toolCallId' in inputs[0].json)) return { ...caller, items: inputs };
	// Later ones wait in n8n's stack until their calls are over, below an agent that is their tool.
	const stack = runExecutionData?.executionData?.nodeExecutionStack ?? [];
	for (const { node, data, metadata } of stack) {
		const { toolCallId } = (caller.items ?? inputs)[0]?.json ?? {};
		if (!metadata?.subNodeExecutionData?.actions.some(({ action }) => action.id === toolCallId))
			continue;
		Object.assign(caller, { items: data.main?.[0] ?? undefined, agent: node.name });
	}
	return caller;
}

/**
 * Gives a tool the only item of its AI agent back. A call comes as that item with all that the model
 * wrote laid over it, asked for or not, so that `$json.phone` may be the model's. `$fromAI` reads the call.
 *
 * @returns whether `$json` is the agent's only item now
 */
function restoreItem(context: IExecuteFunctions): boolean {
	const { items, agent } = callerOf(context);
	if (items?.length !== 1 || !agent) return items !== undefined && items.length < 2;
	const { $node, $runIndex } = dataProxyOf(context);
	// In n8n's Retry of a call that failed, `$fromAI` reads the item instead.
	if ($node[context.getNode().name]!.runIndex < $runIndex) return false;
	const { toolCallId } = (context as ToolContext).connectionInputData![0]!.json;
	const { json } = items[0]!;
	const item = { json: { ...json, toolCallId }, pairedItem: placeOfItem(context, agent, json) };
	// This property is of this call alone. What n8n stores, passes on and retries is still the call.
	Object.assign(context, { connectionInputData: [item] });
	return true;
}

/**
 * Returns where an agent's item is in the output of a node before it: from there, n8n finds the items of
 * other nodes. What n8n names itself is another place after a review and in a later round of a loop.
 * Undefined unless there is exactly one such item: then n8n refuses `$('…').item`.
 */
function placeOfItem(context: IExecuteFunctions, agent: string, json: IDataObject) {
	const { $items, $node } = dataProxyOf(context);
	const places: Array<INodeExecutionData['pairedItem'] & object> = [];
	for (const { name } of context.getParentNodes(agent, { connectionType: 'main', depth: 1 })) {
		const source = { previousNode: name, previousNodeRun: $node[name]!.runIndex };
		try {
			for (let output = 0; ; output++) {
				const sourceOverwrite = { ...source, previousNodeOutput: output };
				for (const [item, each] of $items(name, output, source.previousNodeRun).entries()) {
					if (JSON.stringify(each.json) === JSON.stringify(json))
						places.push({ item, sourceOverwrite });
				}
			}
		} catch {
			// There are no more outputs.
		}
	}
	return places.length === 1 ? places[0] : undefined;
}

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
	const names = String(credential[itemFields.name]);
	const field =
		fields.find(({ name }) => isFromItem(name)) ??
		options.find(({ name }) => isFromItem('options', name)) ??
		Object.values(credentialFields).find(({ name }) => names.includes(name)) ??
		(names === itemFields.name ? undefined : itemFields);
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
