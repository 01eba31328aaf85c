import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isHumanReview } from '../../gateway/agent';
import { proxyOf } from './agentItems';

/**
 * What a human review outputs instead of asking when the agent has called its tool several times at
 * once; undefined if it may ask. To n8n, all those calls are one node: once the first one waits, n8n
 * takes the input of the others for decisions. So only the last one is asked.
 *
 * n8n passes `chatInput` to the agent as the reviewer's feedback on a call that did not run.
 */
export function refuseParallelCall(context: IExecuteFunctions): IDataObject | undefined {
	const node = context.getNode();
	if (!isHumanReview(node)) return undefined;
	const { $runIndex, $node } = proxyOf(context);
	// n8n lists all calls as runs before the first one starts.
	if ($runIndex >= $node[node.name]!.runIndex) return undefined;
	return {
		chatInput:
			'Nobody was asked and this call did not run, because the tool was called several times at once. Make one call at a time, and wait for its result before you make the next one.',
	};
}

/**
 * The output of a question that was not asked. To n8n, a review without `approved` is a decline; as the
 * reviewer's feedback, it gives the agent `chatInput`.
 */
export function withoutAnswer(
	context: IExecuteFunctions,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	if (!isHumanReview(context.getNode())) return outputs;
	return outputs.map((items) =>
		items.map((item) => {
			const { dryRun, skipped, reason } = item.json;
			if (!dryRun && !skipped) return item;
			const why = dryRun ? "'Dry Run' is on" : String(reason);
			const chatInput = `Nobody was asked and this call did not run (${why}). Do not make it again now.`;
			return { ...item, json: { ...item.json, chatInput } };
		}),
	);
}
