import type { IExecuteFunctions, IDataObject } from 'n8n-workflow';

import { callerOf, dataProxyOf } from '../n8n/agentItems';
import { ownerOfNode } from '../n8n/errors';
import { isAgentTool, isInEngine2, isHumanReview } from '../n8n/nodeKinds';
import type { Operation } from '../send/operation';

/** Checks, before anything is sent, that the execution can wait. @throws NodeOperationError when it cannot */
export function checkCanWait(context: IExecuteFunctions, { name }: Operation): void {
	const node = context.getNode();
	const owner = ownerOfNode(node);
	if (isAgentTool(node)) {
		throw owner.invalid(
			`'${name}' cannot be a tool that an AI agent calls`,
			'To have a person approve what an agent does, add this node as a human review between the agent and its tool. A tool itself has to answer at once.',
		);
	}
	if (isInEngine2(context)) {
		throw owner.invalid(
			`'${name}' does not work in n8n's Engine 2.0`,
			'Nothing was sent, because the execution could not wait for the answer. Run this workflow with the standard engine, in its settings.',
		);
	}
	const { length: count = 'an unknown number of' } = callerOf(context).items ?? {};
	if (isHumanReview(node) && count !== 1) {
		throw owner.invalid(
			`The AI agent has ${count} items, not one`,
			"Put the agent in a Loop Over Items node with a batch size of 1. Nobody was asked, because n8n would run an approved call once for each of the agent's items.",
		);
	}
	const { length } = context.getInputData();
	if (length > 1) {
		throw owner.invalid(
			`'${name}' takes one item, not ${length}`,
			"Nothing was sent, because an execution can wait for only one answer at a time. To ask one person after another, use a Loop Over Items node with a batch size of 1; to ask everybody at once, let that loop call a sub-workflow, without waiting for it. To ask once for all items, turn on 'Execute Once' in this node's settings.",
		);
	}
}

/**
 * Returns the output of a human review that does not ask because the agent has called its tool several
 * times at once; undefined if it may ask. To n8n, all those calls are one node: once the first one waits,
 * n8n takes the input of the others for decisions. So only the last one is asked.
 *
 * n8n passes `chatInput` to the agent as the reviewer's feedback on a call that did not run.
 */
export function refuseParallelCall(context: IExecuteFunctions): IDataObject | undefined {
	const node = context.getNode();
	if (!isHumanReview(node)) return undefined;
	const { $runIndex, $node } = dataProxyOf(context);
	// n8n lists all calls as runs before the first one starts.
	if ($runIndex >= $node[node.name]!.runIndex) return undefined;
	return {
		chatInput:
			'Nobody was asked and this call did not run, because the tool was called several times at once. Make one call at a time, and wait for its result before you make the next one.',
	};
}

/**
 * Adds `chatInput` to the output of a question that was not asked. To n8n, a review without `approved` is a
 * decline, and the agent gets `chatInput` as the reviewer's feedback.
 */
export function addFeedback(context: IExecuteFunctions, json: IDataObject): void {
	const { dryRun, skipped, explanation } = json;
	if (!isHumanReview(context.getNode()) || !(dryRun || skipped)) return;
	const why = dryRun ? 'this is a dry run' : String(explanation);
	json.chatInput = `Nobody was asked and this call did not run: ${why}. Do not make it again now.`;
}
