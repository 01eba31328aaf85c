/** A forward proxy between n8n and the service: what of a failed connection is certain. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import { onceBy } from '../../../tools/shared/deduplication';

import { deduplication } from '../harness';
import { hurry, jsonOf, to, useGateway } from './support';

const gateway = useGateway({ https: true });
hurry();
const unproxied = { ...process.env };
beforeEach(() => deduplication.reset());
afterEach(() => {
	process.env = { ...unproxied };
});

/** n8n-workflow up to 2.33 loses the cause, which tells how far a request got. */
const isCertain =
	new NodeApiError({} as INode, new Error() as unknown as JsonObject).cause !== undefined;

type Answer = (socket: Socket) => void;

/** One send through a proxy that does so with the first bytes. */
async function sendThrough(answer: Answer, scheme = 'https') {
	const sockets = new Set<Socket>();
	const proxy = createServer((socket) => {
		sockets.add(socket.on('error', () => {}));
		socket.once('data', () => answer(socket));
	});
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	process.env[`${scheme}_proxy`] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	try {
		const run = await gateway.run('sendSms', {
			onError: 'continueRegularOutput',
			credential: { baseUrl: `${scheme}://gateway.example`, allowUnauthorizedCerts: true },
			options: onceBy('={{ $json.to }}'),
			rules: { timeout: 5_000 },
		});
		return jsonOf(run)[0];
	} finally {
		process.env = { ...unproxied };
		sockets.forEach((socket) => socket.destroy());
		await once(proxy.close(), 'close');
	}
}

const status =
	(line: string, more = 'Content-Length: 3\r\n\r\nbad'): Answer =>
	(socket) =>
		socket.write(`HTTP/1.1 ${line}\r\n${more}`);

test.each<[string, Answer]>([
	['an end', (socket) => socket.end()],
	['a reset', (socket) => socket.resetAndDestroy()],
	['silence', () => {}],
	[
		'a tunnel that breaks off',
		(socket) => {
			status('200 OK', '\r\n')(socket);
			socket.once('data', () => socket.resetAndDestroy());
		},
	],
])('a tunnel refused with %s: nothing was sent, and its key stays free', async (_, answer) => {
	const output = await sendThrough(answer);
	expect(gateway.sandbox.requests()).toEqual([]);
	if (!isCertain) return expect(output).toHaveProperty('error');
	expect(output).toMatchObject({
		error: { outcome: 'refused', message: expect.stringContaining('Could not connect') },
	});
	await gateway.run('sendSms', { options: onceBy('={{ $json.to }}') });
	expect(gateway.sandbox.timesAccepted({ to })).toBe(1);
});

test.each(['http', 'https'])("a 502 of a proxy to %s may be the service's own", async (scheme) => {
	const output = await sendThrough(status('502 Bad Gateway'), scheme);
	expect(output).toMatchObject({ error: { outcome: 'unknown', httpCode: '502' } });
});
