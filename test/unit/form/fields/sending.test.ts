import type { AnswerBody } from '../../../../nodes/service/outcome';
import { scheduleAtField } from '../../../../nodes/form/fields/scheduleAt';
import { sendBetweenOption } from '../../../../nodes/form/fields/sendBetween';
import { send } from '../../../../nodes/send/sending';
import { makeItem } from '../../../../tools/shared/item';

const message = { channel: 'sms', to: '+5511912345678' } as const;

async function outputOf(more: object = {}, scheduleAt = '') {
	const sent = { channel: message.channel, to: { to: '', recipient: message.to }, contents: [] };
	const { request } = send({
		...{ value: 'send', name: 'Send', action: 'Send', description: '' },
		fields: { scheduleAt: scheduleAtField },
		options: { sendBetween: sendBetweenOption },
		sending: () => ({ ...sent, ...more, request: () => ({ method: 'POST', path: '/' }) }),
	});
	return (await request(await makeItem({ scheduleAt }))).output;
}

const sentAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/) as string;

const output = async (body: AnswerBody | undefined) => (await outputOf())(body);

/** Those of interface §2.5: engine/action/operations.test.ts. */
test('without an answer or an id, the shape is the same', async () => {
	const none = { messageId: null, status: null, ...message };
	expect(await output({})).toEqual({ ...none, sentAt });
	expect(await output(undefined)).toEqual(none);
});

test('nothing that the service says takes the place of a name of the shape', async () => {
	const scheduledAt = '2030-12-31T09:30:00-03:00';
	const length = { segments: 2, encoding: 'GSM-7' };
	const sent = { messageId: 'm', status: 'ok', ...message, sentAt };
	const others = { channel: 'x', to: '1', sentAt: 1, scheduledAt: 1, segments: 9, encoding: 'x' };
	const own = { error: '', skipped: true, dryRun: true };
	const said = { ...others, ...own, messageId: 'm', message_id: 'n', status: 'ok', note: 'Hi' };
	const text = JSON.stringify(said).replace('{', '{"__proto__":{"a":1},');
	const body = JSON.parse(text) as AnswerBody;
	const sms = (await outputOf({ length }, scheduledAt))(body);
	expect(sms).toStrictEqual({ ...sent, scheduledAt, ...length, note: 'Hi' });
	// One that this message does not have would say that it is scheduled, or an SMS.
	expect(await output(body)).toStrictEqual({ ...sent, note: 'Hi' });
});

test('ID and status come out as the service wrote them, like the rest of its answer', async () => {
	for (const text of ['x'.repeat(501), 'm-1\nNow'])
		expect(await output({ messageId: text, status: text })).toMatchObject({
			messageId: text,
			status: text,
		});
	expect(await output({ messageId: '1', status: 7 })).toMatchObject({ status: 7 });
});
