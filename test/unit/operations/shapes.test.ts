import type { IDataObject } from 'n8n-workflow';

import { findOperation } from '../../../nodes/MessagingGateway/operations';
import { serviceTexts } from '../../../nodes/gateway/serviceTexts';
import { makeItemOf } from '../../../testing/item';

async function output(
	resource: string,
	operation: string,
	body: unknown,
	parameters: IDataObject = {},
) {
	const found = findOperation(resource, operation)!;
	const request = await found.request(await makeItemOf(found, parameters));
	return request.output(body as IDataObject);
}

describe('the connection state', () => {
	test('a disconnected instance is an answer, any other refusal is not', () => {
		const { refusalAsAnswer } = findOperation('instance', 'getConnectionState')!;
		const { instanceDisconnected, invalidToken } = serviceTexts;
		expect(refusalAsAnswer!({ kind: 'rejected', text: instanceDisconnected })).toEqual({
			connected: false,
			answer: { success: false, message: instanceDisconnected },
		});
		expect(refusalAsAnswer!({ kind: 'rejected', text: invalidToken })).toBeUndefined();
	});

	test('is told beside the answer', async () => {
		expect(await output('instance', 'getConnectionState', { state: 'open' })).toEqual({
			connected: true,
			answer: { state: 'open' },
		});
	});
});

describe('a campaign', () => {
	const statistics = { total: 2, queued: 0, sent: 1, delivered: 1, errors: 0, deliveryRate: 50.25 };
	const messages = [
		{ to: '5511912345678', status: 'sent', messageId: 'm1' },
		{ to: '5511912345679', status: 'delivered', messageId: 'm2' },
	];
	const record = { campaignId: 'c1', nome: 'Black Friday', statistics, messages };
	const campaigns = async (body: unknown, parameter: string) =>
		await output('campaign', 'get', body, { campaignId: 'c1', output: parameter });

	test('comes as it is', async () => {
		expect(await campaigns({ success: true, campaigns: [record] }, 'campaign')).toEqual([record]);
	});

	test('comes as its messages, each with what its campaign is', async () => {
		const of = { campaignId: 'c1', campaignName: 'Black Friday', statistics };
		expect(await campaigns({ success: true, campaigns: [record] }, 'messages')).toEqual([
			{ ...of, ...messages[0] },
			{ ...of, ...messages[1] },
		]);
	});

	test('comes alone, where the service answers with all', async () => {
		const others = [{ ...record, campaignId: 'c0' }, record, { ...record, campaignId: 'c2' }];
		expect(await campaigns({ success: true, campaigns: others }, 'campaign')).toEqual([record]);
		expect(await campaigns({ success: true, campaigns: others }, 'messages')).toHaveLength(2);
	});

	test.each<[IDataObject, string[]]>([
		[{}, ['c1', 'c2', 'c3']],
		[{ limit: 2 }, ['c1', 'c2']],
		[{ limit: 2, returnAll: true }, ['c1', 'c2', 'c3']],
	])('comes in a list with %j: %j', async (parameters, ids) => {
		const all = ['c1', 'c2', 'c3'].map((campaignId) => ({ ...record, campaignId }));
		const list = async (more: IDataObject) =>
			await output(
				'campaign',
				'getAll',
				{ success: true, campaigns: all },
				{ ...parameters, ...more },
			);
		expect(await list({})).toEqual(
			ids.map((campaignId) => ({ campaignId, nome: record.nome, statistics })),
		);
		expect(await list({ includeMessages: true })).toEqual(
			ids.map((campaignId) => ({ ...record, campaignId })),
		);
	});

	test('list of another shape comes as it is', async () => {
		const answer = { success: true, data: [record] };
		expect(await output('campaign', 'getAll', answer)).toEqual(answer);
	});

	test('comes out of a list that stands alone', async () => {
		const bare = [{ ...record, campaignId: 'c0' }, record];
		expect(await campaigns(bare, 'campaign')).toEqual([record]);
		expect(await output('campaign', 'getAll', bare)).toHaveLength(2);
	});

	test.each([
		[{ success: true, campaigns: [] }, []],
		[{ success: true, campaigns: [{ campaignId: 'c1', messages: [] }, 7] }, []],
	])('%j comes as the messages %j', async (body, messagesOf) => {
		expect(await campaigns(body, 'messages')).toEqual(messagesOf);
	});
});

test.each<[string, string, IDataObject, unknown, object]>([
	['apiKey', 'revoke', { keyId: ' k1 ' }, undefined, { deleted: true, id: 'k1' }],
	['apiKey', 'revoke', { keyId: 'k1' }, { a: 1 }, { deleted: true, id: 'k1', answer: { a: 1 } }],
	['campaign', 'delete', { campaignId: 'c1' }, undefined, { deleted: true, campaignId: 'c1' }],
	['instance', 'logOut', { instance: 'i1' }, undefined, { loggedOut: true, instance: 'i1' }],
	[
		'webhook',
		'set',
		{ url: 'https://x.example' },
		{ success: true, message: 'ok' },
		{ success: true, message: 'ok' },
	],
	['webhook', 'get', {}, { url: null, enabled: null }, { url: null, enabled: null }],
	[
		'webhook',
		'get',
		{},
		{ url: `https://x.example/?mgt=v1.p.${'x'.repeat(43)}`, enabled: true },
		{ url: 'https://x.example/?mgt=***', enabled: true },
	],
	['webhook', 'get', {}, {}, { url: null }],
	['apiKey', 'getAll', { limit: 1 }, [{ id: '1' }, { id: '2' }], [{ id: '1' }]],
	[
		'apiKey',
		'getAll',
		{ limit: 1, returnAll: true },
		[{ id: '1' }, { id: '2' }],
		[{ id: '1' }, { id: '2' }],
	],
])('%s %s with %j makes of %j: %j', async (resource, operation, parameters, body, expected) => {
	expect(await output(resource, operation, body, parameters)).toEqual(expected);
});
