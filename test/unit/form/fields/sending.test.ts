import type { IDataObject } from 'n8n-workflow';

import { sendAudio } from '../../../../nodes/MessagingGateway/operations/message/sendAudio';
import { sendMedia } from '../../../../nodes/MessagingGateway/operations/message/sendMedia';
import { sendSms } from '../../../../nodes/MessagingGateway/operations/message/sendSms';
import { scheduleAtField } from '../../../../nodes/form/fields/scheduleAt';
import { sendBetweenOption } from '../../../../nodes/form/fields/sendBetween';
import { send, sendingOptions } from '../../../../nodes/send/sending';
import type { AnswerBody } from '../../../../nodes/service/outcome';
import { credential } from '../../../../tools/shared/context';
import { makeItem, makeItemOf } from '../../../../tools/shared/item';
import { audioFile } from '../../../../tools/shared/operations';

const read = async (extraFields: unknown) =>
	sendingOptions(() => ['to']).extraFields.read(await makeItem({ options: { extraFields } }));

test.each<[unknown, object]>([
	['{ "sender": "ACME" }', { sender: 'ACME' }],
	[{ sender: 'ACME' }, { sender: 'ACME' }],
	['{ "template": 120363041234567891 }', { template: '120363041234567891' }], // not rounded
	// Words and braces are for the service, unless n8n's `$` is in them.
	[
		'{ "text": "Hi {{1}}, {{name}}", "note": "undefined" }',
		{ text: 'Hi {{1}}, {{name}}', note: 'undefined' },
	],
	...['{}', '', undefined, null].map((none): [unknown, object] => [none, {}]),
])('%j is %j', async (entered, fields) => {
	expect(await read(entered)).toEqual(fields);
});

test.each<unknown>([
	...['{ sender', 'sender', '[]', '[{}]', 'null', '7', '"x"', 'true', [], [{}], 7, true],
])('%j is an error of that item', async (entered) => {
	await expect(read(entered)).rejects.toThrow("'Extra Fields (JSON)' is not a JSON object");
});

test.each([{ to: null }, '{ "to": "5511912345678" }'])(
	'%j has the destination',
	async (entered) => {
		await expect(read(entered)).rejects.toThrow("must not contain 'to'");
	},
);

describe.each([
	['sendSms', sendSms, 'schedule'],
	['sendMedia', sendMedia, 'scheduled_at'],
	['sendAudio', sendAudio, 'agendado_para'],
] as const)('%s', (_, operation, name) => {
	const soon = new Date(Date.now() + 3_600_000).toISOString();
	const windows = { values: [{ from: '00:00', to: '24:00', days: ['monday'] }] };
	const bodyOf = async (entered: unknown, more: IDataObject = {}, options: IDataObject = {}) => {
		const extraFields = JSON.stringify({ [name]: entered });
		const parameters = { options: { extraFields, ...options }, ...more };
		const account = { ...credential, audioScheduleField: 'agendado_para' };
		const item = await makeItemOf(operation, parameters, { files: audioFile, credential: account });
		const { body } = await operation.request(item);
		return ((body as IDataObject).message ?? body) as IDataObject;
	};

	it.each(['31/12/2030 09:00', '', null, 1924938000])('takes %j as a time', async (entered) => {
		expect((await bodyOf(entered))[name]).toBe(entered);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['Schedule At', { scheduleAt: soon }, {}],
		['a passed Schedule At', { scheduleAt: new Date(Date.now() - 60_000).toISOString() }, {}],
		['Send Between', {}, { sendBetween: { values: { windows, outside: 'schedule' } } }],
	])('refuses it beside %s', async (__, more, options) => {
		await expect(bodyOf('31/12/2030 09:00', more, options)).rejects.toMatchObject({
			message: `'Extra Fields (JSON)' must not contain '${name}'`,
			description: expect.stringContaining("'Schedule At' and 'Send Between' empty"),
		});
	});
});

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
