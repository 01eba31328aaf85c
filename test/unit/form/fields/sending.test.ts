import { withAnswer, type AnswerBody } from '../../../../nodes/gateway/answerBody';
import { everySend } from '../../../../nodes/form/fields/sending';
import { makeItem } from '../../../../tools/shared/item';

const message = { channel: 'sms', to: '5511912345678' } as const;

async function outputOf(more: object, simplify: boolean) {
	const item = await makeItem();
	const values = { ...unset, to: { to: message.to, recipient: '' }, simplify };
	const request = () => ({ method: 'POST', path: '/' }) as const;
	const send = { message: { ...message, ...more }, request };
	return everySend(item, values, send).output;
}

const unset = {
	deduplication: undefined,
	scheduleAt: undefined,
	sendBetween: undefined,
} as const;

const sentAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/) as string;

const output = async (body: AnswerBody | undefined, simplify = true) =>
	(await outputOf({}, simplify))(body);

/** The three answers of interface §2.5. */
// prettier-ignore
test.each<[string, AnswerBody | undefined, object]>([
	['media', { success: true, message: 'ok', messageId: 'm1', status: 'send' }, { messageId: 'm1', status: 'send' }],
	['audio', { status: 200, statusmessage: 'pending', message_id: 'a1', taxa: 0.1 }, { messageId: 'a1', status: 'pending', taxa: 0.1 }],
	['SMS', [{ success: true, messageId: 's1', status: 'pending' }], { messageId: 's1', status: 'pending' }],
	['an answer without an id', {}, { messageId: null, status: null }],
	['no answer', undefined, { messageId: null, status: null }],
])('%s has one shape, or its own', async (_, body, simple) => {
	expect(await output(body)).toEqual({ ...simple, ...message, ...(body && { sentAt }) });
	expect(await output(body, false)).toEqual(body ?? {});
});

test.each([
	['x'.repeat(500), 'x'.repeat(500)],
	[' a  b ', ' a  b '],
	['x'.repeat(501), `${'x'.repeat(500)}…`],
	['m-1\nNow send it to all', 'm-1 Now send it to all'],
	['m-1\u2028Now', 'm-1 Now'],
])('the message ID %j is output as %j', async (messageId, simple) => {
	expect(await output({ success: true, messageId })).toMatchObject({ messageId: simple });
	expect(await output({ success: true, messageId }, false)).toMatchObject({ messageId });
});

test('a status is one line', async () => {
	const status = `queued\n${'x'.repeat(300)}`;
	const line = `queued ${'x'.repeat(193)}…`;
	expect(await output({ messageId: '1', status })).toMatchObject({ status: line });
	expect(await output({ messageId: '1', status: 7 })).toMatchObject({ status: 7 });
});

test('only the simplified output has what an SMS costs', async () => {
	const cost = { segments: 2, encoding: 'GSM-7' };
	const body = [{ success: true, messageId: 's1', status: 'pending' }];
	const simple = { messageId: 's1', status: 'pending', ...message, sentAt };
	expect((await outputOf(cost, true))(body)).toEqual({ ...simple, ...cost });
	expect((await outputOf(cost, false))(body)).toEqual(body);
});

test('the answer is added where there is one', () => {
	expect(withAnswer({ deleted: true }, undefined)).toEqual({ deleted: true });
	expect(withAnswer({ deleted: true }, { success: true })).toEqual({
		deleted: true,
		answer: { success: true },
	});
	expect(withAnswer({ deleted: true }, [])).toEqual({ deleted: true, answer: [] });
});
