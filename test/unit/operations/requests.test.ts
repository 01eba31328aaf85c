import type { IDataObject } from 'n8n-workflow';

import { findOperation, resources } from '../../../nodes/MessagingGateway/operations';
import type { Outcome } from '../../../nodes/gateway/outcome';
import { credential } from '../../../testing/context';
import { makeItemOf } from '../../../testing/item';
import type { ContextOptions } from '../../../testing/context';

const requestOf = async (
	resource: string,
	operation: string,
	parameters: IDataObject,
	options?: ContextOptions,
) => {
	const found = findOperation(resource, operation)!;
	return await found.request(await makeItemOf(found, parameters, options));
};

const to = '+55 (11) 91234-5678';
const recipient = '5511912345678';
const scheduleAt = '2030-12-31T09:30:00';
const id = 'a/b c';

/** Interface §4: what goes out for these parameters. */
// prettier-ignore
const table: Array<[string, string, IDataObject, object]> = [
	['apiKey', 'getAll', {}, { method: 'GET', path: '/v1/apikeys' }],
	['apiKey', 'getAll', { filters: { status: 'active' } }, { method: 'GET', path: '/v1/apikeys', query: { status: 'active' } }],
	['apiKey', 'revoke', { keyId: { mode: 'id', value: id } }, { method: 'DELETE', path: '/v1/apikeys/a%2Fb%20c' }],
	['campaign', 'get', { campaignId: id }, { method: 'GET', path: '/v2/chatapp/campaign/messages', query: { campaignId: id } }],
	['campaign', 'get', { campaignId: id, channel: 'sms' }, { method: 'GET', path: '/v1/sms/campaign/messages', query: { campaignId: id } }],
	['campaign', 'get', { campaignId: { __rl: true, mode: 'list', value: id } }, { query: { campaignId: id } }],
	['campaign', 'getAll', {}, { method: 'GET', path: '/v2/chatapp/campaign/messages' }],
	['campaign', 'getAll', { channel: 'sms' }, { method: 'GET', path: '/v1/sms/campaign/messages' }],
	['campaign', 'delete', { campaignId: { __rl: true, mode: 'id', value: 'c2' } }, { body: { campanhaId: 'c2' } }],
	['campaign', 'delete', { campaignId: ' c1 ' }, { method: 'DELETE', path: '/v2/chatapp/campaign/excluir', body: { campanhaId: 'c1' } }],
	['instance', 'getConnectionState', {}, { method: 'GET', path: '/v2/chatapp/instance/connectionState' }],
	['instance', 'logOut', { instance: id }, { method: 'DELETE', path: '/v2/chatapp/instance/logout/a%2Fb%20c' }],
	['webhook', 'get', {}, { method: 'GET', path: '/webhook/' }],
	['webhook', 'set', { enable: false, url: 'https://x.example' }, { method: 'POST', path: '/webhook/', body: { enable: false, url: 'https://x.example' } }],
	['message', 'sendSms', { to, text: 'Olá' }, { method: 'POST', path: '/v1/sms/enviar', recipient, body: { to: recipient, msg: 'Olá', tiposms: '1' } }],
	[
		'message',
		'sendSms',
		{ to, text: 'Olá', smsType: 2, options: { scheduleAt, additionalBodyFields: '{"sender":"ACME"}' } },
		{ body: { to: recipient, msg: 'Olá', tiposms: '2', schedule: '2030-12-31 09:30:00', sender: 'ACME' } },
	],
	['message', 'sendAndWait', { to, message: 'Sim?', options: { pageTitle: ' Pedido ' } }, { question: { title: 'Pedido' } }],
	[
		'message',
		'sendAndWait',
		{ to, message: ' Sim? ', smsType: 2 },
		{
			method: 'POST',
			path: '/v1/sms/enviar',
			expected: 'sent',
			recipient,
			body: { to: recipient, msg: 'Sim?\nhttps://n8n.example/webhook-waiting/1/node-1?ask=0&signature=0', tiposms: '2' },
			question: { ask: '0', title: '', message: 'Sim?', form: { type: 'approval', approve: 'Approve' } },
		},
	],
	[
		'message',
		'sendMedia',
		{ to, mediaUrl: ' https://x.example/a.png\n' },
		{
			method: 'POST',
			path: '/v2/chatapp/message/sendMedia',
			recipient,
			body: {
				messagetype: 'media',
				message: {
					to: recipient,
					mediatype: 'image',
					mediaurl: 'https://x.example/a.png',
					mimetype: 'image/png',
					msg: '',
					scheduled_at: '',
					status: 'pending',
				},
			},
		},
	],
	[
		'message',
		'sendMedia',
		{ to, mediaUrl: 'https://x.example/a.png', caption: 'Oi', options: { scheduleAt, additionalBodyFields: { a: 1 } } },
		{ body: { messagetype: 'media', message: { msg: 'Oi', scheduled_at: '2030-12-31T09:30:00-03:00', a: 1 } } },
	],
	[
		'message',
		'sendAudio',
		{ to, audioSource: 'base64', audioBase64: 'data:audio/ogg;base64,T2dn', options: { scheduleAt, additionalBodyFields: { a: 1 } } },
		{
			method: 'POST',
			path: '/v2/chatapp/message/sendAudio',
			recipient,
			body: {
				to: recipient,
				mimetype: 'audio/ogg',
				chatapp_mode: 'private',
				scheduled_at: '2030-12-31T09:30:00-03:00',
				a: 1,
				audio_base64: 'T2dn',
			},
		},
	],
];

test.each(table)('%s %s with %j', async (resource, operation, parameters, request) => {
	expect(await requestOf(resource, operation, parameters)).toMatchObject(request);
});

test('a list of campaigns is asked for without an identifier', async () => {
	expect(await requestOf('campaign', 'getAll', {})).not.toHaveProperty('query');
});

describe('a webhook that is switched off without a URL', () => {
	const readRequest = { method: 'GET', path: '/webhook/' };

	/** Makes the steps, of which the first is answered so; tells what was asked for. */
	async function switchOff(first: Outcome) {
		const { steps } = await requestOf('webhook', 'set', { enable: false, url: ' ' });
		const asked: unknown[] = [];
		const outcome = await steps!(async ({ judge, ...request }) => {
			asked.push(request);
			const answered: Outcome = asked.length > 1 ? { kind: 'accepted', body: {} } : first;
			return judge?.(answered) ?? answered;
		});
		return { outcome, asked };
	}

	test.each<[IDataObject, string]>([
		[
			{ url: 'https://x.example/?mgt=v1.p.secret', enabled: true },
			'https://x.example/?mgt=v1.p.secret',
		],
		[{ url: null, enabled: null }, ''],
		[{ url: '' }, ''],
	])('keeps the one that is set: %j', async (body, url) => {
		const { outcome, asked } = await switchOff({ kind: 'accepted', body });
		expect(asked).toEqual([
			readRequest,
			{ method: 'POST', path: '/webhook/', body: { enable: false, url } },
		]);
		expect(outcome).toEqual({ kind: 'accepted', body: {} });
	});

	test.each<[IDataObject | IDataObject[]]>([
		[{}],
		[[]],
		[{ enabled: true }],
		[{ url: 7 }],
		[{ url: { href: 'x' } }],
	])('is left alone where the service does not tell: %j', async (body) => {
		expect(await switchOff({ kind: 'accepted', body })).toEqual({
			asked: [readRequest],
			outcome: {
				kind: 'refused',
				forNow: false,
				reason: {
					kind: 'unusable',
					explanation: {
						message: 'The service does not tell which URL is set',
						facts: 'Nothing was changed.',
						advice: "Enter 'URL', too: it is set, and switched off.",
					},
				},
			},
		});
	});

	test('is left alone without an answer', async () => {
		const outcome: Outcome = { kind: 'unknown', reason: { kind: 'noAnswer' } };
		expect(await switchOff(outcome)).toEqual({ outcome, asked: [readRequest] });
	});
});

test('every operation stands in the table', () => {
	const all = resources.flatMap(({ value, operations }) =>
		operations.map((own) => `${value} ${own.value}`),
	);
	expect(new Set(table.map(([resource, operation]) => `${resource} ${operation}`))).toEqual(
		new Set(all),
	);
});

const open = {
	chatAppName: 'other',
	campaignIdParameter: 'cid',
	keyStatusParameter: 'st',
	audioScheduleField: 'when',
};

test.each<[string, string, IDataObject, object]>([
	['apiKey', 'getAll', { filters: { status: 'x' } }, { query: { st: 'x' } }],
	[
		'campaign',
		'get',
		{ campaignId: 'c' },
		{ path: '/v2/other/campaign/messages', query: { cid: 'c' } },
	],
	[
		'message',
		'sendAudio',
		{
			to,
			audioSource: 'base64',
			audioBase64: 'data:audio/ogg;base64,T2dn',
			options: { scheduleAt },
		},
		{
			path: '/v2/other/message/sendAudio',
			body: { other_mode: 'private', when: expect.any(String) },
		},
	],
])(
	'%s %s takes the names that the account has set',
	async (resource, operation, parameters, request) => {
		const options = { credential: { ...credential, ...open } };
		expect(await requestOf(resource, operation, parameters, options)).toMatchObject(request);
	},
);

test('a pair that no version of the node has is no operation', () => {
	expect(findOperation('fax', 'send')).toBeUndefined();
	expect(findOperation('message', 'sendFax')).toBeUndefined();
});

test('an instance that would name another path is refused by its label', async () => {
	await expect(requestOf('instance', 'logOut', { instance: '..' })).rejects.toThrow(
		"'Instance' is not an identifier: '..'",
	);
});

test.each<[string, string, IDataObject, RegExp]>([
	['webhook', 'set', { enable: false, url: {} }, /^'URL' is an object/],
	[
		'message',
		'sendSms',
		{ to, text: 'Oi', smsType: '12' },
		/'tiposms' with 'Additional Body Fields'/,
	],
	['message', 'sendAndWait', { to, message: 'Oi?', smsType: '12' }, /names, e\.g\. 1\.$/],
])('%s %s with %j tells what is wrong', async (resource, operation, parameters, text) => {
	const error = await requestOf(resource, operation, parameters).catch((e: Error) => e);
	const { message, description } = error as { message?: string; description?: string };
	expect([message, description]).toContainEqual(expect.stringMatching(text));
});
