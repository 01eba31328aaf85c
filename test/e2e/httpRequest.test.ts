/** The credential in n8n's own HTTP Request node: right, and safe. */
import { outputOf } from '../../tools/host';
import { chain, node } from '../../tools/shared/workflows';
import { listen } from '../engine/harness/server';
import { useHost } from './sharedHost';

describe('the credential in the HTTP Request node', () => {
	const host = useHost();
	let stranger: Awaited<ReturnType<typeof listen>>;
	const seen: unknown[] = [];

	beforeAll(async () => {
		stranger = await listen((request, response) => {
			seen.push(request.headers);
			response.end('{}');
		});
	});
	afterAll(async () => await stranger.close());

	async function get(url: string) {
		const type = 'messagingGatewayApi';
		const parameters = {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
		};
		const more = { typeVersion: 4.2, credentials: { [type]: host.credential } };
		const request = node('Request', 'n8n-nodes-base.httpRequest', parameters, more);
		return await host.client.execute(chain(`GET ${url}`, request));
	}

	it('gets the API key, and the instance token under /v2/ only', async () => {
		const { sandbox } = host;
		const webhook = await get(`${sandbox.url}/webhook/`);
		expect(outputOf(webhook, 'Request')[0]?.json).toHaveProperty('enabled');
		const state = await get(`${sandbox.url}/v2/chatapp/instance/connectionState`);
		expect(outputOf(state, 'Request')[0]?.json).toHaveProperty('instance');
		expect(sandbox.requests().map(({ valid }) => valid)).toEqual([true, true]);
	});

	it('is not sent to another origin, nor after a redirect', async () => {
		const { sandbox } = host;
		const execution = await get(`${stranger.url}/webhook/`);
		expect(execution.status).toBe('error');
		expect(JSON.stringify(execution.error)).toContain('was not sent to');
		const headers = { location: stranger.url };
		sandbox.fault({ operation: 'getWebhook', fault: { status: 307, headers } });
		await get(`${sandbox.url}/webhook/`);
		expect(sandbox.requests()).toHaveLength(1);
		expect(seen).toEqual([]);
	});
});
