/** What a page on the internet can make a browser on this machine ask of the sandbox: nothing. */
import { request } from 'undici';

import { startSandbox, type Sandbox } from '../../../tools/sandbox';

const messageBody = JSON.stringify({ to: '5511912345678', msg: 'Olá', tiposms: '1' });

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
	const headers = { 'x-api-key': sandbox.credential.apiKey, 'content-type': 'application/json' };
	await request(`${sandbox.url}/v1/sms/enviar`, { method: 'POST', headers, body: messageBody });
});
afterEach(async () => await sandbox.close());

it.each([
	['a program', {}, 204],
	['its own page', { origin: 'http://127.0.0.1:PORT' }, 204],
	['its own page by name', { host: 'localhost:PORT', origin: 'http://localhost:PORT' }, 204],
	['a foreign page', { origin: 'https://example.com' }, 403],
	['a page on another port', { origin: 'http://127.0.0.1:1' }, 403],
	['a page in a sandboxed frame', { origin: 'null' }, 403],
	['a foreign name that leads here', { host: 'example.com:PORT' }, 403],
	['a name that begins like it', { host: '127.0.0.1.example.com' }, 403],
	['another name, asked by its page', { host: 'a.test', origin: 'http://a.test' }, 403],
])('%s: the controls answer %j with %d', async (_who, asked, status) => {
	const { port } = new URL(sandbox.url);
	const headers = JSON.parse(JSON.stringify(asked).replaceAll('PORT', port)) as object;
	const response = await request(`${sandbox.url}/_sandbox/reset`, {
		method: 'POST',
		headers: { ...headers },
	});
	expect(response.statusCode).toBe(status);
	expect(sandbox.accepted()).toHaveLength(status === 204 ? 0 : 1);
});

it('delivers to the configured webhook only, whatever address a request names', async () => {
	const [webhook, other] = [await startSandbox(), await startSandbox()];
	sandbox.webhook = { url: webhook.url, enabled: true };
	await request(`${sandbox.url}/_sandbox/deliver`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ event: {}, options: { url: other.url } }),
	});
	expect([webhook, other].map((each) => each.requests().length)).toEqual([1, 0]);
	await Promise.all([webhook.close(), other.close()]);
});
