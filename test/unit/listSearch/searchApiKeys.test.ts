import { NodeApiError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { searchApiKeys } from '../../../nodes/MessagingGateway/listSearch';
import { makeContext } from '../../../testing/context';

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
	{ id: 'k4', name: { toString: 1 }, status: 'Revogada', masked_key: 4711 },
	{ name: 'cannot be revoked, having no id' },
];

const search = async (filter?: string, body: unknown = keys, statusCode = 200) => {
	const http = async () => ({ statusCode, headers: {}, body: JSON.stringify(body) });
	const context = makeContext({ http }) as unknown as ILoadOptionsFunctions;
	return (await searchApiKeys.call(context, filter)).results;
};

test('each key is told by name, status, channel and the end of its mask; those revoked come last', async () => {
	expect(await search()).toEqual([
		{ name: 'Shop · active · sms · …1234', value: 'k1' },
		{ name: '…9999', value: 'k3' },
		{ name: '✗ CRM · revoked · chatapp · …5678', value: '7' },
		{ name: '✗ Revogada', value: 'k4' },
	]);
});

test.each(['revoked', 'REVOKED', 'revogada', 'Revogado', 'revocada', ' revoked', 'Inativa'])(
	'%s looks revoked',
	async (status) => {
		expect(await search('', [{ id: 'k', status }])).toEqual([
			{ name: `✗ ${status.trim()}`, value: 'k' },
		]);
	},
);

test.each(['active', 'ativa', 'not revoked yet', 'review', '', 7])(
	'%j does not',
	async (status) => {
		const [{ name } = { name: '' }] = await search('', [{ id: 'k', name: 'x', status }]);
		expect(name).toMatch(/^x/);
	},
);

test('a name is one short line, and an ID as long as it is', async () => {
	const id = `${'k'.repeat(300)} `;
	const name = `Shop\n${'x'.repeat(300)}`;
	expect(await search('', [{ id, name }])).toEqual([
		{ name: `Shop ${'x'.repeat(195)}…`, value: id },
	]);
});

test('a mask that is empty is not shown', async () => {
	const [key] = await search('', [{ id: 'k', name: 'Shop', masked_key: '' }]);
	expect(key).toEqual({ name: 'Shop', value: 'k' });
});

test('what has no more than spaces is not shown', async () => {
	const [key] = await search('', [{ id: 'k', name: ' ', channel: 'sms' }]);
	expect(key).toEqual({ name: 'sms', value: 'k' });
});

test('of a key that is not masked, no more is shown than of one that is', async () => {
	const [key] = await search('', [{ id: 'k', masked_key: 'sk-live-4f1c9a7be2d8' }]);
	expect(key).toEqual({ name: '…e2d8', value: 'k' });
});

test.each([
	['shop', ['k1']],
	[' SMS ', ['k1']],
	['5678', ['7']],
	['', ['k1', 'k3', '7', 'k4']],
	['revo', ['7', 'k4']],
	['nothing', []],
])('%j finds %j', async (filter, values) => {
	expect((await search(filter)).map(({ value }) => value)).toEqual(values);
});

test('keys that cannot be read are told with the reason', async () => {
	const rejected = search('', { success: false, message: 'Token inválido.' }, 401);
	await expect(rejected).rejects.toThrow(NodeApiError);
	await expect(rejected).rejects.toThrow('Token inválido.');
});
