/** The list of API keys that 'Revoke' offers. */
import { OPERATIONAL_ERRORS, SEEDS } from '../../../sandbox';
import { runListSearch } from '../harness';
import { operations, useGateway } from './support';

const gateway = useGateway();

const search = async (filter?: string, credential = {}) =>
	await runListSearch('searchApiKeys', filter, {
		node: 'messagingGateway',
		parameters: operations.revokeApiKey,
		credential: { ...gateway.sandbox.credential, ...credential } as never,
	});

const ids = async (filter?: string) => (await search(filter)).results.map(({ value }) => value);

describe('the list', () => {
	it('shows name, status, channel and last characters of each key, those revoked last', async () => {
		expect(await search()).toEqual({
			results: SEEDS.apiKeys.map(({ id, name, channel, key, status }) => ({
				name: `${status === 'revoked' ? '✗ ' : ''}${name} · ${status} · ${channel} · …${key.slice(-4)}`,
				value: id,
			})),
		});
		const request = gateway.onlyRequest();
		expect(request).toMatchObject({ operationId: 'listApiKeys', valid: true, query: {} });
		expect(request.headers).not.toHaveProperty('x-instance-token');
	});

	it('never shows more than the mask', async () => {
		const { results } = await search();
		expect(JSON.stringify(results)).not.toContain('sandbox-api-key');
	});

	it('shows a key that was just revoked as such', async () => {
		await gateway.run('revokeApiKey');
		expect((await search()).results.map(({ name }) => name).slice(-3)).toEqual([
			'✗ Campanhas SMS · revoked · sms · …c7d2',
			'✗ Chave antiga · revoked · chatapp · …f8f4',
			'✗ Notebook perdido · revoked · sms · …85a5',
		]);
	});

	it.each([
		['integração', ['key-crm']],
		[' SMS ', ['key-sms', 'key-staging', 'key-lost']],
		['revoked', ['key-old', 'key-lost']],
		['c7d2', ['key-sms']],
		['nothing like it', []],
		['', SEEDS.apiKeys.map(({ id }) => id)],
	])('is filtered by %j', async (filter, expected) => {
		expect(await ids(filter)).toEqual(expected);
	});

	it('leaves out what a key does not have', async () => {
		const body = [
			{ id: 7, name: 'Bare' },
			{ id: 'x', name: null, status: 'active' },
		];
		gateway.sandbox.fault({ fault: { status: 200, body } });
		expect((await search()).results).toEqual([
			{ name: 'Bare', value: '7' },
			{ name: 'active', value: 'x' },
		]);
	});
});

describe('without a usable answer', () => {
	it.each([
		[{ refuse: OPERATIONAL_ERRORS.invalidToken.message }, 'The service rejected the credential'],
		[{ html: true }, 'The service answered with something other than JSON'],
		[{ status: 200, body: { keys: [] } }, 'The service sent an answer of an unknown kind'],
		[{ status: 200 }, 'The service sent an empty answer'],
		[{ reset: 'beforeAccept' }, 'ended without an answer'],
	] as const)('%j is an error', async (fault, message) => {
		gateway.sandbox.fault({ fault });
		await expect(search()).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining(message),
			description: expect.stringMatching(/\.$/),
		});
	});

	it('an unreachable service and a wrong address are errors', async () => {
		await expect(search('', { baseUrl: 'http://127.0.0.1:1' })).rejects.toThrow(
			'Could not connect',
		);
		await expect(search('', { baseUrl: 'nowhere' })).rejects.toThrow("'Base URL'");
	});
});
