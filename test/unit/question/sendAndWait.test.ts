import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { makeAnswerLink } from '../../../nodes/question/question';
import {
	addFeedback,
	checkCanWait,
	refuseParallelCall,
	rejectEarlierAnswer,
	sendAndWait,
} from '../../../nodes/question/sendAndWait';
import { makeContext, type ContextOptions } from '../../../tools/shared/context';
import { makeItem, makeItemOf } from '../../../tools/shared/item';

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

const review = { type: 'messagingGatewayHitlTool' };
const long = 'x'.repeat(1_600);

const ask = async (message: string, node = {}, options = {}) =>
	await sendAndWait.request(await makeItemOf(sendAndWait, { message, options }, { node }));

test('a human review takes ten segments, unless it sets another limit', async () => {
	await expect(ask(long, review)).rejects.toMatchObject({
		message: "'Message' with its link takes 11 segments, but 'Max Segments' allows 10",
		description: expect.stringContaining("raise 'Max Segments' in the options"),
	});
	await expect(ask(long, review, { maxSegments: 11 })).resolves.toBeDefined();
	await expect(ask('May I?', review)).resolves.toBeDefined();
	await expect(ask(long)).resolves.toBeDefined(); // no review: as many as it needs
});

test('n8n before 2 signs no link where its address has no scheme', async () => {
	const item = await makeItem({ message: 'May I?', options: {} });
	item.context.getSignedResumeUrl = () => new URL('n8n.example.com/webhook-waiting/1/1').href;
	expect(() => makeAnswerLink(item, '1')).toThrow('does not begin with https:// or http://');
});

const read = async (json: IDataObject, node: ContextOptions['node']) =>
	rejectEarlierAnswer(await makeItem(json, { node }));

test.each<[string, IDataObject, ContextOptions['node']]>([
	['data.respondedAt', { data: { respondedAt: '2030-01-01T00:00:00.000Z' } }, {}],
	['data.respondedAt', { data: { approved: true, respondedAt: '2030' } }, {}],
	['data.approved', { data: { approved: false } }, {}],
	['data.approved', { data: { approved: 'yes' } }, {}],
	['data.choice', { data: { choice: 'Noon' } }, {}],
	['data.text', { data: { text: '' } }, {}],
	['data.approved', { data: { approved: true } }, review],
	['approved', { approved: true }, review],
	['approved', { approved: false }, review],
])('an item with %s is refused: %j', async (field, json, node) => {
	const name = field.split('.')[0]!;
	const before = node === review ? 'before the AI Agent' : 'before this node';
	await expect(read(json, node)).rejects.toMatchObject({
		message: `The item already contains '${field}', although nobody has answered yet`,
		description: expect.stringMatching(`Remove '${name}' .* Edit Fields node ${before}`),
	});
});

test.each<[IDataObject, ContextOptions['node']]>([
	[{ data: 'approved' }, {}],
	[{ data: null }, {}],
	[{ data: { approved: null, orderId: 4711 } }, {}],
	[{ approved: true }, {}],
	[{ text: 'Hello', choice: 'Noon' }, {}],
	[{ approved: 'yes' }, review],
	[{ respondedAt: 'today' }, review],
])('what cannot be taken for an answer goes on: %j', async (json, node) => {
	await expect(read(json, node)).resolves.toBeUndefined();
});
