/** What never left is refused, what left may have been sent: told apart by the cause that n8n leaves. */
import { outputOf } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { chain } from '../../tools/shared/workflows';
import { useHost } from '../e2e/sharedHost';
import { smsToEach } from '../e2e/support/workflows';
import { serveHello, type TlsServer } from '../unit/support/tls';

const host = useHost();
let secure: Sandbox;
let hangingUp: TlsServer;

beforeAll(async () => {
	secure = await startSandbox({ https: true });
	hangingUp = await serveHello((socket) => socket.end());
});
afterAll(async () => {
	await secure.close();
	await hangingUp.close();
});

/** @returns what comes out, as JSON */
async function sendWith(data: object): Promise<string> {
	const credential = await host.client.createCredential({ ...data, maxRetries: 1 });
	const send = smsToEach(credential, { to: '5511912345678' }, { onError: 'continueRegularOutput' });
	const execution = await host.client.execute(chain('Never left', send));
	return JSON.stringify(outputOf(execution, 'Gateway')[0]?.json);
}

it.each([
	['a closed port', () => ({ baseUrl: 'http://127.0.0.1:9' })],
	['an unknown host', () => ({ baseUrl: 'http://gateway.invalid' })],
	['a certificate that is not trusted', () => ({ allowUnauthorizedCerts: false })],
	['a TLS handshake that the server ends', () => ({ baseUrl: hangingUp.url })],
])('%s', async (_, change) => {
	const text = await sendWith({ ...secure.credential, ...change() });
	expect(text).toContain('"outcome":"refused"');
	expect(text).toContain('Could not connect');
	expect(text).not.toContain('may have been sent');
	expect(secure.accepted()).toEqual([]);
});

it('a connection that breaks after the request has left', async () => {
	host.sandbox.fault({ fault: { reset: 'afterAccept' } });
	const text = await sendWith(host.sandbox.credential);
	expect(text).toContain('"outcome":"unknown"');
	expect(text).toContain('may have been sent');
	expect(host.sandbox.accepted()).toHaveLength(1);
});
