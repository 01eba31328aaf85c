import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import {
	addFeedback,
	checkCanWait,
	refuseParallelCall,
	sendAndWait,
} from '../../../nodes/question/sendAndWait';
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

test.each([
	['messagingGateway', "'Send SMS and Wait for Response' takes one item, not 2"],
	['messagingGatewayHitlTool', 'The AI agent has 2 items, not one'],
])('%s can wait, for one item', (type, expected) => {
	expect(refusalFor(type)).toBeUndefined();
	const refusal = refusalFor(type, [{}, {}]);
	expect(refusal?.message).toBe(expected);
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
	const output = { ...json };
	addFeedback(context, output);
	const { chatInput, ...rest } = output;
	expect(rest).toEqual(json);
	if (why) expect(chatInput).toContain(`Nobody was asked and this call did not run: ${why}. `);
	else expect(chatInput).toBeUndefined();
});
