import type { INodeExecutionData } from 'n8n-workflow';

import { countItemsOfAgent } from '../../../nodes/MessagingGateway/run/waiting';
import { makeContext } from '../../../testing/context';

/** By node, what its outputs gave in its last run. */
const outputs: Record<string, number[]> = { Order: [3], Loop: [0, 1], Check: [0, 2] };

/** What the review of a call by the node 'Agent' counts. */
function count(pairedItem: INodeExecutionData['pairedItem'], before: string[] = []): number {
	const context = makeContext();
	context.getInputData = () => [{ json: {}, pairedItem }];
	context.getParentNodes = () => before.map((name) => ({ name })) as never;
	context.getWorkflowDataProxy = () =>
		({
			$prevNode: { name: 'Agent' },
			$items(node: string, output: number) {
				const length = outputs[node]?.[output];
				if (length === undefined) throw new Error(`Node "${node}" has no branch ${output}`);
				return Array.from({ length });
			},
		}) as never;
	return countItemsOfAgent(context);
}

const from = (previousNode: string, previousNodeOutput?: number) => ({
	item: 0,
	sourceOverwrite: { previousNode, previousNodeOutput, previousNodeRun: 0 },
});

test.each<[string, INodeExecutionData['pairedItem'], string[], number]>([
	['what the output gave that leads to the agent', from('Order'), [], 3],
	['of several outputs that one', from('Loop', 1), [], 1],
	['what is in front, where that cannot be read', from('Gone'), ['Order'], 3],
	['in a later round of a loop, the most that is in front', from('Agent'), ['Loop', 'Check'], 2],
	['one, where a loop gives one at a time', from('Agent'), ['Loop'], 1],
	['the same where n8n names no source', 0, ['Order'], 3],
	['one, where there is nothing', undefined, [], 1],
])('counts %s', (_, pairedItem, before, expected) => {
	expect(count(pairedItem, before)).toBe(expected);
});
