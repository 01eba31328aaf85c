import type { IDataObject } from 'n8n-workflow';

import { rejectEarlierAnswer, sendAndWait } from '../../../nodes/question/sendAndWait';
import { makeAnswerLink } from '../../../nodes/question/question';
import type { ContextOptions } from '../../../tools/shared/context';
import { makeItem, makeItemOf } from '../../../tools/shared/item';

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
});

test('a question takes as many as it needs', async () => {
	await expect(ask(long)).resolves.toBeDefined();
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
