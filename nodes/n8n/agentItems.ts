import type {
	INodeExecutionData,
	IExecuteFunctions,
	IRunExecutionData,
	IDataObject,
} from 'n8n-workflow';

/** Matches what an expression reads items with. n8n's other variables are the same for all items. */
export const itemData =
	/\$\s*(\(|(json|binary|data|input|items?|itemIndex|thisItem|thisItemIndex|position|node|getPairedItem|evaluateExpression)\b)/;

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
export function restoreItem(context: IExecuteFunctions): boolean {
	const { items, agent } = callerOf(context);
	if (items?.length !== 1 || !agent) return items !== undefined && items.length < 2;
	const { $node, $runIndex } = dataProxyOf(context);
	// n8n's Retry of a call that failed lets `$fromAI` read the item instead.
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
