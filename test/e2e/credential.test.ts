/**
 * The credential's test, through n8n's REST API as the editor calls it. What it says of each answer is in
 * test/unit/service/checkCredential.test.ts.
 */
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { chain, gateway, node } from '../../tools/shared/workflows';
import { useHost } from './sharedHost';

describe("the credential's test", () => {
	const host = useHost();
	let prefixed: Sandbox;
	let secure: Sandbox;

	beforeAll(async () => {
		prefixed = await startSandbox({ basePath: '/gateway' });
		secure = await startSandbox({ https: true, names: { chatAppName: 'talk' } });
	});
	afterAll(async () => {
		await prefixed.close();
		await secure.close();
	});

	const test = async (data: object) => {
		const { id } = await host.client.createCredential(data);
		return await host.client.testCredential(id);
	};
	const ok = (message: string) => ({ status: 'OK', message: expect.stringContaining(message) });
	const refused = (message: string) => ({
		status: 'Error',
		message: expect.stringContaining(message),
	});

	it.each([
		['a slash at the end', { end: '/' }, ok('including the instance token')],
		['the path of an endpoint', { end: '/v1/sms' }, ok('including the instance token')],
		// n8n keeps what a switch hides, and gives it to nobody.
		['no chat app', { chatApp: false, instanceToken: 'nobody' }, ok('Connection successful')],
		['hidden details', { serviceDetails: false, timeout: 1 }, ok('including the instance token')],
		// A space, since n8n 1 stores no credential without a key.
		['no API key', { apiKey: ' ' }, refused("'API Key' is empty")],
		['a wrong API key', { apiKey: 'nobody' }, refused('rejected the credential')],
		['a closed port', { baseUrl: 'http://127.0.0.1:9' }, refused('Could not connect')],
	])('%s', async (_, { end, ...change }: Record<string, unknown>, verdict) => {
		const { baseUrl, ...credential } = prefixed.credential;
		expect(await test({ ...credential, baseUrl: `${baseUrl}${end ?? ''}`, ...change })).toEqual(
			verdict,
		);
	});

	it('a self-signed certificate needs Ignore SSL Issues', async () => {
		expect(await test(secure.credential)).toEqual(ok('including the instance token'));
		const strict = { ...secure.credential, allowUnauthorizedCerts: false };
		expect(await test(strict)).toEqual(refused('(DEPTH_ZERO_SELF_SIGNED_CERT)'));
	});

	it.each([true, false])('a stored token is sent if Chat App is on: %j', async (chatApp) => {
		const type = 'messagingGatewayApi';
		const { sandbox, client } = host;
		const credential = await client.createCredential({ ...sandbox.credential, chatApp });
		const parameters = {
			url: `${sandbox.url}/v2/chatapp/instance/connectionState`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
		};
		const more = { typeVersion: 4.2, credentials: { [type]: credential } };
		await client.execute(
			chain('Token', node('Request', 'n8n-nodes-base.httpRequest', parameters, more)),
		);
		const state = gateway(credential, 'instance', 'getConnectionState', {});
		const { status, error } = await client.execute(chain('Token', state));
		expect(status).toBe(chatApp ? 'success' : 'error');
		if (!chatApp) expect(error?.description).toMatch(/^Turn on 'Chat App' there, /);
		const tokens = sandbox.requests().map(({ headers }) => headers['x-instance-token']);
		const { instanceToken } = sandbox.credential;
		expect(tokens).toEqual(chatApp ? [instanceToken, instanceToken] : [undefined]);
	});
});
