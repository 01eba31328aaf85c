import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { sendAndWait } from '../../../nodes/MessagingGateway/operations/message/sendAndWait';
import { countItemsOfAgent } from '../../../nodes/MessagingGateway/run/agents';
import {
	checkCanWait,
	refuseParallelCall,
	withoutAnswer,
} from '../../../nodes/MessagingGateway/run/waiting';
import { makeContext } from '../../../tools/shared/context';

/** Why a node of this type cannot wait for an answer. */
function refusalFor(type: string, items = [{}]): NodeOperationError | undefined {
	try {
		checkCanWait(makeContext({ node: { type }, items }), sendAndWait);
		return undefined;
	} catch (error) {
		expect(error).toBeInstanceOf(NodeOperationError);
		return error as NodeOperationError;
	}
}

test.each(['messagingGateway', 'messagingGatewayHitlTool'])('%s can wait, for one item', (type) => {
	expect(refusalFor(type)).toBeUndefined();
	const refusal = refusalFor(type, [{}, {}]);
	expect(refusal?.message).toBe("'Send SMS and Wait for Response' takes one item, not 2");
	expect(refusal?.description).toContain('Loop Over Items');
});

test('a tool that an AI agent calls cannot wait, and its error says what can', () => {
	const refusal = refusalFor('messagingGatewayTool');
	expect(refusal?.message).toBe(
		"'Send SMS and Wait for Response' cannot be a tool that an AI agent calls",
	);
	expect(refusal?.description).toContain('add this node as a human review');
});

test.each<[string, number, boolean]>([
	['messagingGatewayHitlTool', 0, true],
	['messagingGatewayHitlTool', 1, true],
	['messagingGatewayHitlTool', 2, false],
	['messagingGateway', 0, false],
])('as %s, call %i of 3 at once is refused: %s', (type, $runIndex, isRefused) => {
	const context = makeContext({ node: { type } });
	const { name } = context.getNode();
	context.getWorkflowDataProxy = () => ({ $runIndex, $node: { [name]: { runIndex: 2 } } }) as never;
	const output = refuseParallelCall(context);
	if (!isRefused) expect(output).toBeUndefined();
	else expect(output).toEqual({ chatInput: expect.stringMatching(/^Nobody was asked/) });
});

test.each<[string, IDataObject, string]>([
	['HitlTool', { skipped: true, reason: 'doNotContact', explanation: 'On a list' }, 'On a list'],
	['HitlTool', { dryRun: true, wouldSend: true }, 'this is a dry run'],
	['HitlTool', { error: { message: 'No' } }, ''], // has no other key, or it leaves by the wrong output
	['', { skipped: true, reason: 'doNotContact', explanation: 'On a list' }, ''],
])('of messagingGateway%s that asked nobody, %j comes out with %s', (suffix, json, why) => {
	const context = makeContext({ node: { type: `messagingGateway${suffix}` } });
	const [[item]] = withoutAnswer(context, [[{ json }]]) as [[INodeExecutionData]];
	const { chatInput, ...rest } = item.json;
	expect(rest).toEqual(json);
	if (why) expect(chatInput).toContain(`Nobody was asked and this call did not run: ${why}. `);
	else expect(chatInput).toBeUndefined();
});

/** How many items each output of a node had in its last run. */
const outputsByNode: Record<string, number[]> = { Order: [3], Loop: [0, 1], Check: [0, 2] };

/** Items that the review of a call by the node 'Agent' counts. */
function countItems(pairedItem: INodeExecutionData['pairedItem'], before: string[] = []): number {
	const context = makeContext();
	context.getInputData = () => [{ json: {}, pairedItem }];
	context.getParentNodes = (of, { connectionType } = {}) => {
		const tools = of === 'Agent' ? [context.getNode().name] : [];
		return (connectionType === 'main' ? before : tools).map((name) => ({ name })) as never;
	};
	context.getWorkflowDataProxy = () =>
		({
			$prevNode: { name: 'Agent' },
			$items(node: string, output: number) {
				const length = outputsByNode[node]?.[output];
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
	['the items of the output that leads to the agent', from('Order'), [], 3],
	['only that one of several outputs', from('Loop', 1), [], 1],
	['the node before the agent if that output is gone', from('Gone'), ['Order'], 3],
	['in a later round of a loop, the most of any node before', from('Agent'), ['Loop', 'Check'], 2],
	['one, if a loop returns one at a time', from('Agent'), ['Loop'], 1],
	['the node before the agent if n8n names no source', 0, ['Order'], 3],
	['one, if there is nothing', undefined, [], 1],
])('counts %s', (_, pairedItem, before, expected) => {
	expect(countItems(pairedItem, before)).toBe(expected);
});
