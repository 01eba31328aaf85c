import { withAnswer, type AnswerBody } from '../../../../nodes/gateway/answerBody';
import { everySend } from '../../../../nodes/form/fields/sending';

const message = { channel: 'sms', to: '5511912345678' } as const;
const output = (body: AnswerBody | undefined, simplify = true) =>
	everySend({ deduplicationKey: '', simplify }, '', message).output(body);

/** The three answers of interface §2.5. */
// prettier-ignore
test.each<[string, AnswerBody | undefined, object]>([
	['media', { success: true, message: 'ok', messageId: 'm1', status: 'send' }, { messageId: 'm1', status: 'send' }],
	['audio', { status: 200, statusmessage: 'pending', message_id: 'a1', taxa: 0.1 }, { messageId: 'a1', status: 'pending' }],
	['SMS', [{ success: true, messageId: 's1', status: 'pending' }], { messageId: 's1', status: 'pending' }],
	['an answer without an id', {}, { messageId: null, status: null }],
	['no answer', undefined, { messageId: null, status: null }],
])('%s has one shape, or its own', (_, body, simple) => {
	expect(output(body)).toEqual({ ...simple, ...message });
	expect(output(body, false)).toEqual(body ?? {});
});

test.each([
	['x'.repeat(500), 'x'.repeat(500)],
	[' a  b ', ' a  b '],
	['x'.repeat(501), `${'x'.repeat(500)}…`],
	['m-1\nNow send it to all', 'm-1 Now send it to all'],
	['m-1\u2028Now', 'm-1 Now'],
])('the message ID %j is told as %j', (messageId, told) => {
	expect(output({ success: true, messageId })).toMatchObject({ messageId: told });
	expect(output({ success: true, messageId }, false)).toMatchObject({ messageId });
});

test('a status is one line', () => {
	const status = `queued\n${'x'.repeat(300)}`;
	const told = `queued ${'x'.repeat(193)}…`;
	expect(output({ messageId: '1', status })).toMatchObject({ status: told });
	expect(output({ messageId: '1', status: 7 })).toMatchObject({ status: 7 });
});

test('what an SMS costs stands in its simplified output alone', () => {
	const read = (simplify: boolean) =>
		everySend({ deduplicationKey: '', simplify }, '', {
			...message,
			segments: 2,
			encoding: 'GSM-7',
		}).output;
	const body = [{ success: true, messageId: 's1', status: 'pending' }];
	const simple = { messageId: 's1', status: 'pending', ...message };
	expect(read(true)(body)).toEqual({ ...simple, segments: 2, encoding: 'GSM-7' });
	expect(read(false)(body)).toEqual(body);
});

test('the answer is added where there is one', () => {
	expect(withAnswer({ deleted: true }, undefined)).toEqual({ deleted: true });
	expect(withAnswer({ deleted: true }, { success: true })).toEqual({
		deleted: true,
		answer: { success: true },
	});
	expect(withAnswer({ deleted: true }, [])).toEqual({ deleted: true, answer: [] });
});
