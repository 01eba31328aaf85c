import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { sms, useSandbox } from './http';

const { sandbox, call } = useSandbox();
const received: unknown[] = [];
let target: Server;
let url: string;

beforeAll(async () => {
	target = createServer(async (request, response) => {
		received.push(await json(request));
		response.writeHead(202).end('thanks');
	});
	await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
	target.closeAllConnections();
	await new Promise((resolve) => target.close(resolve));
});

it('is read as it was set, and gets an event for each step of a message, if enabled', async () => {
	const configure = (enable: boolean) => call('POST', '/webhook/', { enable, url });
	expect((await call('GET', '/webhook/')).body).toEqual({ url: null, enabled: null });
	await call('POST', '/v1/sms/enviar', sms('5511900100000'));
	await configure(false);
	await sandbox().advance();
	expect(received).toEqual([]);

	await configure(true);
	expect((await call('GET', '/webhook/')).body).toEqual({ url, enabled: true });
	await sandbox().advance();
	await sandbox().advance();
	const [accepted] = sandbox().accepted();
	const event = {
		event: 'message.status',
		messageId: accepted?.messageId,
		campaignId: accepted?.campaignId,
		to: '5511900100000',
		status: 'error',
		channel: 'sms',
		at: expect.any(String),
	};
	expect(received).toEqual([event]);
	expect(sandbox().deliveries()).toMatchObject([{ url, event, status: 202, body: 'thanks' }]);
});

it('may be unreachable, which is an outcome too', async () => {
	sandbox().webhook.url = 'http://127.0.0.1:1/';
	expect(await sandbox().deliver({})).toMatchObject({ status: null });
	sandbox().webhook.url = null;
	await expect(sandbox().deliver({})).rejects.toThrow('No webhook is configured');
});
