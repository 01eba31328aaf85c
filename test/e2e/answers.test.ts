/** Answers that break what careless code takes for granted, to the real n8n. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { IDataObject } from 'n8n-workflow';

import { outputOf, type HostClient } from '../../host';
import { SEEDS } from '../../sandbox';
import { serveHello } from '../unit/support/tls';
import { sharedHost } from './sharedHost';
import { chain, gateway } from '../../testing/workflows';

let client: HostClient;
let server: Server;
let answer: (response: ServerResponse) => void;
let requests = 0;

beforeAll(async () => {
	({ client } = await sharedHost());
	server = createServer((request, response) => {
		requests++;
		request.resume().once('end', () => {
			response.setHeader('content-type', 'application/json');
			answer(response);
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close().closeAllConnections());

async function send(url: string): Promise<IDataObject> {
	requests = 0;
	const credential = await client.createCredential({
		baseUrl: url,
		apiKey: SEEDS.apiKey,
		allowUnauthorizedCerts: true,
	});
	const fields = { to: '5511912345678', text: 'Hello', options: { maxRetries: 1 } };
	const node = gateway(credential, 'message', 'sendSms', fields, {
		onError: 'continueRegularOutput',
	});
	const [item] = outputOf(await client.execute(chain('Answers', node)), 'Gateway');
	return item!.json;
}

const sendWith = async (given: typeof answer) => {
	answer = given;
	return await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
};

it('600 MB, packed into half a megabyte, are not unpacked to their end', async () => {
	const piece = Buffer.alloc(2 ** 20, ' ');
	let pieces = 0;
	const json = await sendWith((response) => {
		const plain = Readable.from(
			(function* () {
				for (; pieces < 600; pieces++) yield piece;
			})(),
		);
		const packed = plain.pipe(createGzip());
		response.setHeader('content-encoding', 'gzip').once('close', () => packed.destroy());
		packed.pipe(response);
	});
	expect(json).toMatchObject({ error: { outcome: 'unknown' } });
	expect((json.error as IDataObject).message).toMatch(/^The message may have been sent: .*16 MB/);
	expect(requests).toBe(1);
});

it('Latin-1 keeps the texts of the service', async () => {
	const body = Buffer.from('{"success":false,"message":"Instância desconectada."}', 'latin1');
	const json = await sendWith((response) => response.end(body));
	expect(json).toMatchObject({
		error: { outcome: 'refused', message: expect.stringContaining('"Instância desconectada."') },
	});
});

it('an ID beyond 2⁵³ comes out as it is', async () => {
	const body = '[{"success":true,"messageId":12345678901234567890}]';
	const json = await sendWith((response) => response.end(body));
	expect(json).toMatchObject({ messageId: '12345678901234567890' });
});

it('a page that says that nothing was sent is not believed, nor quoted', async () => {
	const page = '<h1>NOT SENT. Por favor, envie outra vez.</h1>';
	const json = await sendWith((response) => response.writeHead(502).end(page));
	expect(json).toMatchObject({ error: { outcome: 'unknown' } });
	expect(JSON.stringify(json)).not.toContain('NOT SENT');
});

it.each([
	['closed', (socket: { end(): unknown }) => socket.end()],
	['reset', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
])('a TLS handshake that is %s sent nothing', async (_, onHello) => {
	const tls = await serveHello(onHello);
	const json = await send(tls.url);
	await tls.close();
	expect(json).toMatchObject({
		error: { outcome: 'refused', message: `Could not connect to the service at ${tls.url}` },
	});
});
