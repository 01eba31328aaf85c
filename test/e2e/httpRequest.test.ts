/** The credential in n8n's own HTTP Request node: right, and safe. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { outputOf, type CredentialReference, type HostClient } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { chain, node } from '../../tools/shared/workflows';

describe('the credential in the HTTP Request node', () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let credential: CredentialReference;
	let stranger: Server;
	let strangerUrl: string;
	const seen: string[] = [];

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox();
		credential = await client.createCredential(sandbox.credential);
		stranger = createServer((request, response) => {
			seen.push(JSON.stringify(request.headers));
			response.end('{}');
		});
		await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
		strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
	});
	afterAll(async () => {
		stranger.close();
		await sandbox.close();
	});
	beforeEach(() => sandbox.reset());

	const get = async (url: string) =>
		await client.execute(
			chain(
				`GET ${url}`,
				node(
					'Request',
					'n8n-nodes-base.httpRequest',
					{
						url,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: 'messagingGatewayApi',
					},
					{ typeVersion: 4.2, credentials: { messagingGatewayApi: credential } },
				),
			),
		);

	it('gets the API key, and the instance token under /v2/ only', async () => {
		const webhook = await get(`${sandbox.url}/webhook/`);
		expect(outputOf(webhook, 'Request')[0]?.json).toHaveProperty('enabled');
		const state = await get(`${sandbox.url}/v2/chatapp/instance/connectionState`);
		expect(outputOf(state, 'Request')[0]?.json).toHaveProperty('instance');
		expect(sandbox.requests().map(({ valid }) => valid)).toEqual([true, true]);
	});

	it('is not sent to another origin', async () => {
		const execution = await get(`${strangerUrl}/webhook/`);
		expect(execution.status).toBe('error');
		expect(JSON.stringify(execution.error)).toContain('was not sent to');
		expect(seen).toEqual([]);
	});

	it('does not follow a redirect to another origin', async () => {
		sandbox.fault({
			operation: 'getWebhook',
			fault: { status: 307, headers: { location: strangerUrl } },
		});
		await get(`${sandbox.url}/webhook/`);
		expect(sandbox.requests()).toHaveLength(1);
		expect(seen).toEqual([]);
	});
});
