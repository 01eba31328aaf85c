import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { call, sms } from './http';

let sandbox: Sandbox;
let target: Server;
let url: string;
let received: Array<{ headers: IncomingMessage['headers']; body: unknown }>;

beforeAll(async () => {
	sandbox = await startSandbox();
	target = createServer(async (request, response) => {
		received.push({ headers: request.headers, body: await json(request) });
		response.writeHead(202).end('thanks');
	});
	await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
	await sandbox.close();
	target.closeAllConnections();
	await new Promise((resolve) => target.close(resolve));
});
beforeEach(() => {
	sandbox.reset();
	received = [];
});

const configure = (enable: boolean) => call(sandbox, 'POST', '/webhook/', { enable, url });

it('is read as it was set', async () => {
	expect((await call(sandbox, 'GET', '/webhook/')).body).toEqual({ url: null, enabled: null });
	expect((await configure(true)).body).toMatchObject({ success: true });
	expect((await call(sandbox, 'GET', '/webhook/')).body).toEqual({ url, enabled: true });
	expect(sandbox.webhook).toEqual({ url, enabled: true });
});

it('gets an event for each step of a message, if enabled', async () => {
	await call(sandbox, 'POST', '/v1/sms/enviar', sms('5511900000000'));
	await configure(false);
	await sandbox.advance();
	expect(received).toEqual([]);

	await configure(true);
	await sandbox.advance();
	await sandbox.advance();
	const [accepted] = sandbox.accepted();
	const event = {
		event: 'message.status',
		messageId: accepted?.messageId,
		campaignId: accepted?.campaignId,
		to: '5511900000000',
		status: 'error',
		channel: 'sms',
		at: expect.any(String),
	};
	expect(received.map(({ body }) => body)).toEqual([event]);
	expect(sandbox.deliveries()).toMatchObject([{ url, event, status: 202, body: 'thanks' }]);
});

it('gets any event that a test wants', async () => {
	sandbox.webhook = { url, enabled: false };
	const event = { anything: ['at', 'all'] };
	const delivery = await sandbox.deliver(event, { headers: { 'x-forwarded-for': '10.0.0.1' } });
	expect(delivery).toMatchObject({ status: 202, body: 'thanks' });
	expect(received).toMatchObject([{ headers: { 'x-forwarded-for': '10.0.0.1' }, body: event }]);
});

it('may be unreachable, which is an outcome too', async () => {
	sandbox.webhook.url = 'http://127.0.0.1:1/';
	expect(await sandbox.deliver({})).toMatchObject({ status: null });
	sandbox.webhook.url = null;
	await expect(sandbox.deliver({})).rejects.toThrow('No webhook is configured');
});
