import type { IExecuteFunctions, INodeExecutionData, ISourceData } from 'n8n-workflow';

import { Entered } from '../../form/entered';
import { servesAgent } from '../../gateway/agent';
import { ownedBy } from '../../gateway/owner';
import type { Operation } from '../operation';

/** What n8n offers expressions. */
interface Proxy {
	/** Of the last run unless one is given. @throws where there is no such output or run */
	$items(node: string, output: number, run?: number): INodeExecutionData[];
	/** What `$json` is taken from. @throws where there is nothing */
	$input: { all(): INodeExecutionData[] };
	$prevNode: { name: string };
}

const proxyOf = (context: IExecuteFunctions) => context.getWorkflowDataProxy(0) as unknown as Proxy;

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
	const outputOf = (node: string, output: number, run?: number) => {
		try {
			return $items(node, output, run);
		} catch {
			return undefined; // there is no such output
		}
	};
	const outputsOf = (node: string, run?: number): INodeExecutionData[][] => {
		const outputs: INodeExecutionData[][] = [];
		for (;;) {
			const items = outputOf(node, outputs.length, run);
			if (!items) return outputs;
			outputs.push(items);
		}
	};
	const { name } = context.getNode();
	const isAgent = (node: string) =>
		node === $prevNode.name ||
		context.getParentNodes(node, { connectionType: 'ai_tool' }).some((tool) => tool.name === name);
	const { previousNode, previousNodeOutput = 0, previousNodeRun } = sourceOf(call) ?? {};
	// From the second round of a loop on, n8n names the agent itself, or no source.
	const isFirstRound = previousNode !== undefined && !isAgent(previousNode);
	const known = isFirstRound && outputOf(previousNode, previousNodeOutput, previousNodeRun);
	// After a review, n8n names the first output, whichever it was.
	if (known) {
		const items = outputsOf(previousNode, previousNodeRun).flat();
		return { count: Math.max(1, known.length), items, isFirstRound };
	}
	const agent = isFirstRound ? $prevNode.name : (previousNode ?? $prevNode.name);
	const before = context.getParentNodes(agent, { connectionType: 'main', depth: 1 });
	const outputs = before.flatMap((node) => outputsOf(node.name));
	const count = Math.max(1, ...outputs.map(({ length }) => length));
	return { count, items: outputs.flat(), isFirstRound };
}

/** Where the agent's items come from, as n8n notes it in the item that it makes of a call. */
function sourceOf({ pairedItem }: INodeExecutionData = { json: {} }): ISourceData | undefined {
	return typeof pairedItem === 'object' && 'sourceOverwrite' in pairedItem
		? pairedItem.sourceOverwrite
		: undefined;
}

const ofItem = /\$(json|binary|data|input|item|itemIndex|thisItem|position)\b/;
const ofOtherNodes = /\$(\(|(node|items|getPairedItem|evaluateExpression)\b)/;
const differsByCall = /\$(fromAI|json|input|parameter)\b/i;

const oneByOne =
	"Move the AI agent to a workflow of its own, and call it with an Execute Sub-workflow node in the mode 'Run once for each item'.";

/**
 * Checks that what an AI agent's tool takes from items is of the item that the agent is working on.
 * Of agents with several, n8n evaluates expressions for the first one, or another.
 *
 * @throws NodeOperationError about the first field that may be of another item
 */
export function checkItemOfCall(context: IExecuteFunctions, operation: Operation): void {
	const entered = new Entered(context);
	if (!servesAgent(entered.node)) return;
	const { fields, options = [] } = operation;
	const places = [
		...fields.map(({ displayName, name }) => ({ displayName, path: [name] })),
		...options.map(({ displayName, name }) => ({ displayName, path: ['options', name] })),
	];
	const texts = places.map(({ path }) => JSON.stringify(entered.at(...path) ?? ''));
	if (!texts.some((text) => text.includes('$'))) return;
	const known = knownOfItem(context, JSON.stringify(entered.node.parameters));
	const node = ownedBy(entered.node);
	for (const [index, { displayName, path }] of places.entries()) {
		const text = texts[index]!;
		if (!entered.hasExpression(...path)) continue;
		if ((known.isItem || !ofItem.test(text)) && (known.isOnly || !ofOtherNodes.test(text)))
			continue;
		throw node.invalid(
			`'${displayName}' comes from your data, but n8n does not say which item this call is for`,
			`Nothing was sent. ${oneByOne}`,
		);
	}
	const key = JSON.stringify(entered.at('options', 'deduplicationKey') ?? '');
	const isPerNumber = entered.at('options', 'deduplicationScope') === 'keyAndNumber';
	if (known.count < 2 || key === '""' || isPerNumber || differsByCall.test(key)) return;
	throw node.invalid(
		`'Deduplication Key' is the same for all ${known.count} items of the AI agent`,
		`Nothing was sent, because only the first message ever would be. ${oneByOne}`,
	);
}

/**
 * - `isItem`: `$json` is what the agent is working on, unchanged by the model.
 * - `isOnly`: the agent has this one item, in its first round, so that other nodes have one for it.
 *
 * @param entered all parameters of the tool, as JSON
 */
function knownOfItem(context: IExecuteFunctions, entered: string) {
	const items = inputOf(context);
	const [call] = items;
	// Agents before version 3 give a tool all their items, and their expressions the first one.
	if (items.length > 1 || !call || !('toolCallId' in call.json)) {
		const isItem = items.length < 2;
		return { count: items.length, isItem, isOnly: isItem };
	}
	const { count, items: rows, isFirstRound } = beforeAgent(context, call);
	// The others add what the model gave, even if no field asks for it.
	const asked = new Set(
		Array.from(entered.matchAll(/\$fromAI\(\s*\W+([\w-]+)/gi), ([, name]) => name),
	);
	const isSame = ([name, value]: [string, unknown]) =>
		asked.has(name) || JSON.stringify(value) === JSON.stringify(call.json[name]);
	const isItem = rows.some(({ json }) => Object.entries(json).every(isSame));
	return { count, isItem, isOnly: isFirstRound && count === 1 };
}

function inputOf(context: IExecuteFunctions): INodeExecutionData[] {
	try {
		return proxyOf(context).$input.all();
	} catch {
		return []; // called from outside of a workflow
	}
}
