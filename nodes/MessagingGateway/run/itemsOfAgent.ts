import type { IExecuteFunctions, INodeExecutionData, ISourceData } from 'n8n-workflow';

/**
 * How many items the AI agent has that calls the tool under review. n8n runs a call that was approved
 * once for each of them (seen in 2.40).
 */
export function countItemsOfAgent(context: IExecuteFunctions): number {
	const { $items, $prevNode } = context.getWorkflowDataProxy(0) as unknown as Proxies;
	const count = (source: ISourceData): number | undefined => {
		try {
			const { previousNode, previousNodeOutput = 0, previousNodeRun } = source;
			return $items(previousNode, previousNodeOutput, previousNodeRun).length;
		} catch {
			return undefined; // there is no such output
		}
	};
	const source = sourceOf(context.getInputData()[0]);
	const known = source && source.previousNode !== $prevNode.name ? count(source) : undefined;
	if (known !== undefined) return known;
	// From the second round of a loop on, n8n does not tell: then whatever there is in front counts.
	const before = context.getParentNodes($prevNode.name, { connectionType: 'main', depth: 1 });
	const counts = before.flatMap(({ name }) => {
		const outputs: number[] = [];
		for (let output = 0; ; output++) {
			const items = count({ previousNode: name, previousNodeOutput: output });
			if (items === undefined) return outputs;
			outputs.push(items);
		}
	});
	return Math.max(1, ...counts);
}

/** Where the agent's items come from: n8n leaves it with the item that it makes of a call. */
function sourceOf({ pairedItem }: INodeExecutionData = { json: {} }): ISourceData | undefined {
	return typeof pairedItem === 'object' && 'sourceOverwrite' in pairedItem
		? pairedItem.sourceOverwrite
		: undefined;
}

interface Proxies {
	/** Of the last run unless one is named. @throws where there is no such output or run */
	$items(node: string, output: number, run?: number): INodeExecutionData[];
	/** The agent. */
	$prevNode: { name: string };
}
