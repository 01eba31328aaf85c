import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type ISourceData,
} from 'n8n-workflow';

import type { Entered } from '../../form/item';
import { enteredKey, isPerNumber } from '../../form/fields/deduplication';
import { credentialType } from '../../gateway/client';
import { credentialFields, expressionFields } from '../../gateway/credential';
import { inCredential } from '../../gateway/credentialField';
import type { NodeError } from '../../gateway/errors';
import { ownerOfNode } from '../../gateway/node';
import { asLine, withHint } from '../../text/text';
import type { Operation } from '../operation';

/** The part of what n8n offers expressions that this file reads. */
interface DataProxy {
	/** Reads the last run unless one is given. @throws where there is no such output or run */
	$items(node: string, output: number, run?: number): INodeExecutionData[];
	/** `$json` is the JSON of one of these items. @throws where there is none */
	$input: { all(): INodeExecutionData[] };
	$prevNode: { name: string };
	/** The index of this call. */
	$runIndex: number;
	/** `runIndex` is the index of the last call of each node. */
	$node: Record<string, { runIndex: number }>;
}

export const dataProxyOf = (context: IExecuteFunctions) =>
	context.getWorkflowDataProxy(0) as unknown as DataProxy;

function resultOrUndefined<T>(get: () => T): T | undefined {
	try {
		return get();
	} catch {
		return undefined;
	}
}

/** Returns the items of the AI agent that makes a call, and whether it works on them for the first time. */
export function itemsOfAgent(context: IExecuteFunctions) {
	const { $items, $prevNode } = dataProxyOf(context);
	const outputsOf = (node: string, run?: number): INodeExecutionData[][] => {
		const outputs: INodeExecutionData[][] = [];
		const next = () => resultOrUndefined(() => $items(node, outputs.length, run));
		for (let items; (items = next());) outputs.push(items);
		return outputs;
	};
	const self = context.getNode().name;
	const isAgent = (node: string) =>
		context.getParentNodes(node, { connectionType: 'ai_tool' }).some(({ name }) => name === self);
	const { sourceOverwrite: named } = (context.getInputData()[0]?.pairedItem ?? {}) as {
		sourceOverwrite?: ISourceData;
	};
	// n8n names the agent itself, or nothing, as the source in a later round of a loop.
	const source = named && !isAgent(named.previousNode) ? named : undefined;
	const known = source ? outputsOf(source.previousNode, source.previousNodeRun) : [];
	const own = source && known[source.previousNodeOutput ?? 0];
	const agent = source ? $prevNode.name : (named?.previousNode ?? $prevNode.name);
	const before = context.getParentNodes(agent, { connectionType: 'main', depth: 1 });
	// n8n names the first output after a review, even if the items came from another one.
	const outputs = own ? known : before.flatMap(({ name }) => outputsOf(name));
	const items = own ?? outputs.flat();
	const count = Math.max(1, ...(own ? [own] : outputs).map(({ length }) => length));
	return {
		count,
		item: items.length === 1 ? items[0] : undefined,
		isFirstRound: source !== undefined,
	};
}

const currentItemData = /\$(json|binary|data|input|item|itemIndex|thisItem|position)\b/;
const otherNodesData = /\$(\(|(node|items|getPairedItem|evaluateExpression)\b)/;
const callData = /\$(fromAI|parameter)\b/i;

/**
 * Gives a tool back the only item that its AI agent works on. n8n adds what the model gave to that item, by
 * any name, so an expression would read it where the item lacks a field. The item is this call's alone, and
 * `$fromAI` and `$tool` read the call elsewhere.
 */
function restoreItem(context: IExecuteFunctions): ReturnType<typeof itemsOfAgent> {
	const call = context.getInputData()[0]!;
	const { toolCallId } = call.json;
	const known = itemsOfAgent(context);
	const { $node, $runIndex } = dataProxyOf(context);
	// In n8n's Retry of a call that failed, `$fromAI` reads this item instead of the call.
	const lastRun = resultOrUndefined(() => $node[context.getNode().name]!.runIndex) ?? $runIndex;
	const isRetried = lastRun < $runIndex;
	if (isRetried) return { ...known, item: undefined };
	if (known.count === 1 && known.item) call.json = { ...known.item.json, toolCallId };
	return known;
}

/**
 * Lets a tool take values only from the item that the AI agent is working on: of several items, n8n
 * evaluates expressions for the first one, or another. Call before the credential is read.
 *
 * @throws NodeOperationError about the first field, of the node or of its credential, that may take its
 * value from another item, or from what the model gave
 */
export async function checkItemOfCall(
	context: IExecuteFunctions,
	entered: Entered,
	{ fields, options = [] }: Operation,
): Promise<void> {
	const { isItem, isFirstRound, count } = describeCall(context);
	const mayDiffer = (text: string) =>
		(!isItem && currentItemData.test(text)) || (!isFirstRound && otherNodesData.test(text));
	const credential = await context.getCredentials(credentialType, 0);
	for (const described of String(credential[expressionFields.name] ?? '').split(',')) {
		if (!mayDiffer(described)) continue;
		const name = described.split(' ').at(-1) as keyof typeof credentialFields;
		throw unclearItem(entered, `'${credentialFields[name].displayName}' ${inCredential}`);
	}
	for (const { displayName, name } of [...fields, ...options]) {
		const path = fields.some((field) => field.name === name) ? [name] : ['options', name];
		if (!entered.hasExpression(...path) || !mayDiffer(JSON.stringify(entered.at(...path))))
			continue;
		throw unclearItem(entered, `'${displayName}'`);
	}
	const key = enteredKey(entered);
	if (count < 2 || key === '' || isPerNumber(entered) || callData.test(key)) return;
	throw ownerOfNode(entered.node).invalid(
		`The deduplication key is the same for all ${count} items of the AI agent`,
		oneItemHint,
	);
}

const unclearItem = ({ node }: Entered, field: string) =>
	ownerOfNode(node).invalid(
		`${field} comes from your data, but n8n does not say which item this call is for`,
		oneItemHint,
	);

const oneItemHint =
	'Nothing was sent. Give the AI agent one item at a time: put it in a Loop Over Items node with a batch size of 1 and use {{ $json… }}, or move it to a workflow of its own that such a loop calls.';

/**
 * Describes the items behind a call. `isItem`: whether `$json` is the agent's item. `isFirstRound`: whether
 * n8n finds what belongs to it in other nodes.
 */
function describeCall(context: IExecuteFunctions) {
	const inputs = resultOrUndefined(() => dataProxyOf(context).$input.all()) ?? []; // none outside of a workflow
	const [call] = inputs;
	// Agents before version 3 give a tool their own items, all of them.
	if (inputs.length > 1 || !call || !('toolCallId' in call.json)) {
		const isOne = inputs.length <= 1;
		return { count: inputs.length, isItem: isOne, isFirstRound: isOne };
	}
	const { count, item, isFirstRound } = restoreItem(context);
	const isOne = count === 1;
	return { count, isItem: isOne && item !== undefined, isFirstRound: isOne && isFirstRound };
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
