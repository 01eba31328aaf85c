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
import type { NodeError } from '../../gateway/errors';
import { ownedBy } from '../../gateway/node';
import { asLine, withHint } from '../../text/text';
import type { Operation } from '../operation';

/** What n8n offers expressions. */
interface Proxy {
	/** Of the last run unless one is given. @throws where there is no such output or run */
	$items(node: string, output: number, run?: number): INodeExecutionData[];
	/** What `$json` is taken from. @throws where there is nothing */
	$input: { all(): INodeExecutionData[] };
	$prevNode: { name: string };
	/** Of this call. */
	$runIndex: number;
	/** Of the last call there is. */
	$node: Record<string, { runIndex: number }>;
}

export const proxyOf = (context: IExecuteFunctions) =>
	context.getWorkflowDataProxy(0) as unknown as Proxy;

function attempt<T>(get: () => T): T | undefined {
	try {
		return get();
	} catch {
		return undefined;
	}
}

/** How many items the AI agent has that makes a call. */
export const countItemsOfAgent = (context: IExecuteFunctions): number =>
	beforeAgent(context, context.getInputData()[0]).count;

/**
 * What leads to the AI agent.
 *
 * @param call the item that n8n makes of a call: a row of the agent and what the model gave
 */
function beforeAgent(context: IExecuteFunctions, call?: INodeExecutionData) {
	const { $items, $prevNode } = proxyOf(context);
	const outputOf = (node: string, output: number, run?: number) =>
		attempt(() => $items(node, output, run));
	const outputsOf = (node: string, run?: number): INodeExecutionData[][] => {
		const outputs: INodeExecutionData[][] = [];
		for (let items; (items = outputOf(node, outputs.length, run));) outputs.push(items);
		return outputs;
	};
	const self = context.getNode().name;
	const isAgent = (node: string) =>
		context.getParentNodes(node, { connectionType: 'ai_tool' }).some(({ name }) => name === self);
	// Where the agent's items come from. In a later round of a loop, n8n names the agent itself, or nothing.
	const source = (call?.pairedItem as { sourceOverwrite?: ISourceData } | undefined)
		?.sourceOverwrite;
	const { previousNode = $prevNode.name, previousNodeOutput = 0, previousNodeRun } = source ?? {};
	const isFirstRound = source !== undefined && !isAgent(previousNode);
	const known = isFirstRound && outputOf(previousNode, previousNodeOutput, previousNodeRun);
	const agent = isFirstRound ? $prevNode.name : previousNode;
	const before = context.getParentNodes(agent, { connectionType: 'main', depth: 1 });
	// After a review, n8n names the first output, whichever it was.
	const outputs = known
		? outputsOf(previousNode, previousNodeRun)
		: before.flatMap(({ name }) => outputsOf(name));
	const count = Math.max(1, ...(known ? [known] : outputs).map(({ length }) => length));
	return { count, items: outputs.flat(), isFirstRound };
}

const ofItem = /\$(json|binary|data|input|item|itemIndex|thisItem|position)\b/;
const ofOtherNodes = /\$(\(|(node|items|getPairedItem|evaluateExpression)\b)/;
const differsByCall = /\$(fromAI|json|input|parameter)\b/i;

/**
 * Checks that what an AI agent's tool takes from items is of the item that the agent is working on.
 * Of agents with several, n8n evaluates expressions for the first one, or another.
 *
 * @throws NodeOperationError about the first field that may be of another item
 */
export function checkItemOfCall(
	context: IExecuteFunctions,
	entered: Entered,
	{ fields, options = [] }: Operation,
): void {
	const { count, isItem, isOnly } = knownOfItem(context, JSON.stringify(entered.node.parameters));
	for (const { displayName, name } of [...fields, ...options]) {
		const path = fields.some((field) => field.name === name) ? [name] : ['options', name];
		if (!entered.hasExpression(...path)) continue;
		const text = JSON.stringify(entered.at(...path));
		const isUnknown = (!isItem && ofItem.test(text)) || (!isOnly && ofOtherNodes.test(text));
		if (!isUnknown) continue;
		throw ownedBy(entered.node).invalid(
			`'${displayName}' comes from your data, but n8n does not say which item this call is for`,
			callForEach,
		);
	}
	const key = enteredKey(entered);
	if (count < 2 || key === '' || isPerNumber(entered) || differsByCall.test(key)) return;
	throw ownedBy(entered.node).invalid(
		`The deduplication key is the same for all ${count} items of the AI agent`,
		callForEach,
	);
}

const callForEach =
	"Nothing was sent. Move the AI agent to a workflow of its own, and call it with an Execute Sub-workflow node in the mode 'Run once for each item'.";

/**
 * - `isItem`: `$json` is what the agent is working on, unchanged by the model.
 * - `isOnly`: the agent has this one item, in its first round, so that other nodes have one for it.
 *
 * @param entered all parameters of the tool, as JSON
 */
function knownOfItem(context: IExecuteFunctions, entered: string) {
	const inputs = attempt(() => proxyOf(context).$input.all()) ?? []; // none from outside of a workflow
	const [call] = inputs;
	// Agents before version 3 give a tool all their items, and their expressions the first one.
	if (inputs.length > 1 || !call || !('toolCallId' in call.json)) {
		const isItem = inputs.length < 2;
		return { count: inputs.length, isItem, isOnly: isItem };
	}
	const { count, items, isFirstRound } = beforeAgent(context, call);
	// The others add what the model gave, even if no field asks for it.
	const asked = new Set(
		Array.from(entered.matchAll(/\$fromAI\(\s*\W+([\w-]+)/gi), (match) => match[1]),
	);
	const isSame = ([name, value]: [string, unknown]) =>
		asked.has(name) || JSON.stringify(value) === JSON.stringify(call.json[name]);
	const isItem = items.some(({ json }) => Object.entries(json).every(isSame));
	return { count, isItem, isOnly: isFirstRound && count === 1 };
}

/** Limits of what an agent gets: longer than any hint of this node, deeper than any documented answer. */
const longestText = 1_000;
const deepest = 20;

/** A text for an AI agent: line breaks could pass for instructions, and length costs tokens. */
const asToolText = (text: string): string => asLine(text, longestText);

/** Output for an AI agent: every text in it, also those of the service, is one line of limited length. */
export const toToolOutput = (json: IDataObject): IDataObject => shorten(json, 0) as IDataObject;

function shorten(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return asToolText(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === deepest) return '…';
	if (Array.isArray(value)) return value.map((each) => shorten(each, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [asToolText(key), shorten(each, depth + 1)]),
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
