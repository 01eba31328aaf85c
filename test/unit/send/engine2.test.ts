/** A run in n8n's Engine 2.0, which gives a node no signal of Stop; test/nightly has the real one. */
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../nodes/send/operation';
import { sendAndWait } from '../../../nodes/question/sendAndWait';
import { sendSms } from '../../../nodes/MessagingGateway/operations/message/sendSms';
import { answer, run as runOn } from './support';

const accepted = answer(200, { success: true, message: 'OK', messageId: 'm1' });

async function run(operation: Operation, parameters: IDataObject, rules: IDataObject = {}) {
	const item = { to: '+5511912345678', text: 'Hi', smsType: '1', ...parameters };
	const own = { getExecutionCancelSignal: () => undefined };
	const { requests, error } = await runOn(operation, [item], {
		...{ answers: [accepted], own },
		rules: rules as never,
	});
	return { sent: requests.map(({ body }) => body), error };
}

const inTokyo = { smsScheduleTimezone: 'Asia/Tokyo' };
const at = (scheduleAt: string) => ({ scheduleAt });
const sendBetween = { values: { windows: { values: [{}] } } };

test('a question is not asked', async () => {
	const { sent, error } = await run(sendAndWait, { message: 'OK?' });
	expect(error?.message).toContain("does not work in n8n's Engine 2.0");
	expect(sent).toEqual([]);
});

test('a time with its offset is sent in the zone of the service', async () => {
	const { sent, error } = await run(sendSms, at('2099-12-31T10:00:00-03:00'), inTokyo);
	expect(error).toBeUndefined();
	expect(sent).toMatchObject([{ schedule: '2099-12-31 22:00:00' }]);
});

test.each([
	[at('2099-12-31T10:00:00'), inTokyo, "'Schedule At' has no time zone: '2099-12-31T10:00:00'"],
	[
		at('2099-12-31T10:00:00Z'),
		{},
		"'SMS Schedule Timezone' in the Messaging Gateway credential is",
	],
	[{ options: { sendBetween } }, {}, "'Timezone' of 'Send Between' is empty"],
])('%j with the credential %j needs a zone', async (parameters, more, message) => {
	const { sent, error } = await run(sendSms, parameters, more);
	expect(error?.message).toContain(message);
	expect(sent).toEqual([]);
});
