/** What never left is refused, what left may have been sent: told apart by the cause that n8n leaves. */
import {
	outputOf,
	type CredentialReference,
	type FinishedExecution,
	type HostClient,
} from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { serveHello, type TlsServer } from '../unit/support/tls';
import { sharedHost } from '../e2e/sharedHost';
import { chain, gateway } from '../../tools/shared/workflows';

let client: HostClient;
let sandbox: Sandbox;
let secure: Sandbox;
let hangingUp: TlsServer;

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
	secure = await startSandbox({ https: true });
	hangingUp = await serveHello((socket) => socket.end());
});
afterAll(async () => {
	await sandbox.close();
	await secure.close();
	await hangingUp.close();
});

const send = {
	to: '5511912345678',
	text: 'Hello',
};

async function sendWith(data: object): Promise<FinishedExecution> {
	const credential: CredentialReference = await client.createCredential({ ...data, maxRetries: 1 });
	const node = gateway(credential, 'message', 'sendSms', send, {
		onError: 'continueRegularOutput',
	});
	return await client.execute(chain('Never left', node));
}

it.each([
	['a closed port', () => ({ ...sandbox.credential, baseUrl: 'http://127.0.0.1:9' })],
	['an unknown host', () => ({ ...sandbox.credential, baseUrl: 'http://gateway.invalid' })],
	[
		'a certificate that is not trusted',
		() => ({ ...secure.credential, allowUnauthorizedCerts: false }),
	],
	[
		'a TLS handshake that the server ends',
		() => ({ ...secure.credential, baseUrl: hangingUp.url }),
	],
])('%s', async (_, data) => {
	const [item] = outputOf(await sendWith(data()), 'Gateway');
	const text = JSON.stringify(item?.json);
	expect(text).toContain('"outcome":"refused"');
	expect(text).toContain('Could not connect');
	expect(text).not.toContain('may have been sent');
	expect(secure.accepted()).toEqual([]);
});

it('a connection that breaks after the request has left', async () => {
	sandbox.fault({ fault: { reset: 'afterAccept' } });
	const [item] = outputOf(await sendWith(sandbox.credential), 'Gateway');
	const text = JSON.stringify(item?.json);
	expect(text).toContain('"outcome":"unknown"');
	expect(text).toContain('may have been sent');
	expect(sandbox.accepted()).toHaveLength(1);
});
