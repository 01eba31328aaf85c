/** The credential's test, through n8n's REST API as the editor calls it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostClient } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';

describe("the credential's test", () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let secure: Sandbox;

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox({ basePath: '/gateway' });
		secure = await startSandbox({ https: true, names: { chatAppName: 'talk' } });
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await sandbox.close();
		await secure.close();
	});

	const test = async (data: object) => {
		const { id } = await client.createCredential(data);
		return await client.testCredential(id);
	};
	const ok = (message: string) => ({ status: 'OK', message: expect.stringContaining(message) });
	const refused = (message: string) => ({
		status: 'Error',
		message: expect.stringContaining(message),
	});

	it.each([
		['a working one', {}, ok('including the instance token')],
		['a trailing slash', { end: '/' }, ok('including the instance token')],
		['the /v1 of an endpoint', { end: '/v1/' }, ok('including the instance token')],
		['a bearer token', { sendKeyAs: 'bearer' }, ok('Connection successful')],
		['no instance token', { instanceToken: '' }, ok('Connection successful')],
		['a key with its header', { apiKey: 'X-API-Key: "$key"' }, ok('including the instance token')],
		['a key with Bearer', { apiKey: 'Bearer $key' }, ok('including the instance token')],
		// A space, since n8n 1 stores no credential without a key.
		['no API key', { apiKey: ' ' }, refused("'API Key' is empty")],
		[
			'a wrong API key',
			{ apiKey: 'nobody' },
			refused('rejected the credential: "Token inválido."'),
		],
		['a wrong instance token', { instanceToken: 'nobody' }, refused('rejected the instance token')],
		['another chat app', { chatAppName: 'other' }, refused('Check Chat App Name')],
		['no address', { baseUrl: 'nowhere' }, refused('is not a web address')],
		['a closed port', { baseUrl: 'http://127.0.0.1:9' }, refused('Could not connect')],
		['an unknown host', { baseUrl: 'http://gateway.invalid' }, refused('Could not connect')],
	])('%s', async (_, { end = '', ...change }: Record<string, string>, verdict) => {
		const { apiKey, ...credential } = sandbox.credential;
		const changed = {
			...credential,
			baseUrl: credential.baseUrl + end,
			...change,
			apiKey: (change.apiKey ?? '$key').replace('$key', apiKey),
		};
		expect(await test(changed)).toEqual(verdict);
	});

	it('an address without the prefix is not the service', async () => {
		const { origin } = new URL(sandbox.url);
		const verdict = await test({ ...sandbox.credential, baseUrl: origin });
		expect(verdict).toEqual(refused('with its path prefix if it has one'));
	});

	it.each([
		[
			'a website',
			200,
			{ 'content-type': 'text/html' },
			'<h1>Welcome</h1>',
			'answered with something other than JSON: "Welcome"',
		],
		['another API', 200, {}, '{"hello":"world"}', 'sent an unexpected answer'],
		[
			'a redirect',
			301,
			{ location: 'https://example.com/api?key=1' },
			'',
			'https://example.com/api (HTTP 301)',
		],
	])('%s', async (_, status, headers, body, message) => {
		const server = createServer((__, response) => response.writeHead(status, headers).end(body));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		try {
			expect(await test({ ...sandbox.credential, baseUrl })).toEqual(refused(message));
		} finally {
			server.close();
		}
	});

	it('a disconnected instance is no fault of the credential', async () => {
		sandbox.instance.connected = false;
		expect(await test(sandbox.credential)).toEqual(ok('The instance is disconnected'));
	});

	it('a self-signed certificate needs Ignore SSL Issues', async () => {
		expect(await test(secure.credential)).toEqual(ok('including the instance token'));
		const strict = { ...secure.credential, allowUnauthorizedCerts: false };
		expect(await test(strict)).toEqual(refused('(DEPTH_ZERO_SELF_SIGNED_CERT) is self-signed'));
	});

	it('changes nothing, and sends the instance token to the chat app only', async () => {
		await test(sandbox.credential);
		expect(
			sandbox.requests().map(({ method, path, valid, headers }) => ({
				call: `${method} ${path}`,
				valid,
				token: 'x-instance-token' in headers,
			})),
		).toEqual([
			{ call: 'GET /gateway/webhook/', valid: true, token: false },
			{ call: 'GET /gateway/v2/chatapp/instance/connectionState', valid: true, token: true },
		]);
	});
});
