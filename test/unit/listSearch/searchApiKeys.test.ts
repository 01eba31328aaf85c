import { NodeApiError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { searchApiKeys } from '../../../nodes/MessagingGateway/listSearch/searchApiKeys';
import { makeContext } from '../support/context';

const keys = [
	{
		id: 'k1',
		name: 'Shop',
		channel: 'sms',
		status: 'active',
		masked_key: '••••1234',
		key: 'never',
	},
	{ id: 7, name: 'CRM', channel: 'chatapp', status: 'revoked', masked_key: '••••5678' },
	{ id: 'k3', name: null, masked_key: '••••9999' },
];

const search = async (filter?: string, body: unknown = keys, statusCode = 200) => {
	const http = async () => ({ statusCode, headers: {}, body: JSON.stringify(body) });
	const context = makeContext({ http }) as unknown as ILoadOptionsFunctions;
	return (await searchApiKeys.call(context, filter)).results;
};

test('each key is told by name, channel, mask and status, and by nothing else', async () => {
	expect(await search()).toEqual([
		{ name: 'Shop · sms · ••••1234 · active', value: 'k1' },
		{ name: 'CRM · chatapp · ••••5678 · revoked', value: '7' },
		{ name: '••••9999', value: 'k3' },
	]);
});

test.each([
	['shop', ['k1']],
	[' SMS ', ['k1']],
	['5678', ['7']],
	['', ['k1', '7', 'k3']],
	['nothing', []],
])('%j finds %j', async (filter, values) => {
	expect((await search(filter)).map(({ value }) => value)).toEqual(values);
});

test('keys that cannot be read are told with the reason', async () => {
	const rejected = search('', { success: false, message: 'Token inválido.' }, 401);
	await expect(rejected).rejects.toThrow(NodeApiError);
	await expect(rejected).rejects.toThrow('Token inválido.');
});
