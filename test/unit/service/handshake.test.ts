/** Before the end of a TLS handshake nothing was sent; after it, the request may have been. */
import { connect } from '../../../nodes/service/client';
import { judgeFailure } from '../../../nodes/service/judge/failure';
import { credential, makeContext } from '../../../tools/shared/context';
import { loseCause, makeClock, send } from '../support/http';
import { serveHello, serveTls, type TlsServer } from '../support/tls';

const keepCause = (error: unknown) => error;
async function judge(server: TlsServer, asThrown = keepCause) {
	const { url } = server;
	const data = { ...credential, baseUrl: url, allowUnauthorizedCerts: true };
	const body = { to: '1' };
	const options = { method: 'POST', url, body, json: true, timeout: 60_000 } as const;
	const outcome = await send(data, options).then(
		(answer) => ({ kind: 'accepted', answer }),
		(error: unknown) => judgeFailure(asThrown(error), String),
	);
	await server.close();
	return outcome;
}

const neverLeft = { kind: 'refused', forNow: true, reason: { kind: 'neverLeft' } };
const noAnswer = { kind: 'unknown', reason: { kind: 'noAnswer' } };

const oldTls = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
const otherCipher = { maxVersion: 'TLSv1.2', ciphers: 'CAMELLIA128-SHA:@SECLEVEL=0' } as const;
const asking = { maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true } as const;
const unknownName: Parameters<typeof serveTls>[0] = {
	SNICallback: (_name, done) => done(new Error('unknown name')),
};
const plain400 = 'HTTP/1.1 400 Bad Request\r\n\r\n';

const unfinished: Array<[string, () => Promise<TlsServer>, boolean]> = [
	['closed at its beginning', async () => await serveHello((socket) => socket.end()), true],
	['reset at its beginning', async () => await serveHello((s) => s.resetAndDestroy()), false],
	['a server without TLS', async () => await serveHello((s) => s.end(plain400)), true],
	['no common version', async () => await serveTls(oldTls), true],
	['no common cipher', async () => await serveTls(otherCipher), false],
	['a name that the server refuses', async () => await serveTls(unknownName), true],
	['a client certificate that is asked for in TLS 1.2', async () => await serveTls(asking), false],
];

test.each(unfinished)(
	'a handshake that did not end, %s: nothing left',
	async (_, serve, isTold) => {
		const server = await serve();
		expect(await judge(server)).toMatchObject(neverLeft);
		expect(server.received()).toBe('');
		// Where n8n keeps no cause, what is not certain from the message alone stays in doubt.
		expect(await judge(await serve(), loseCause)).toMatchObject(isTold ? neverLeft : noAnswer);
	},
);

describe('plain http to a server with TLS', () => {
	const alert = Buffer.from([21, 3, 1, 0, 2, 2, 70]);
	const asHttp = async (server: TlsServer) =>
		await judge({ ...server, url: server.url.replace('https', 'http') });

	test('that answers with an alert: it was not read, and why', async () => {
		const outcome = await asHttp(await serveHello((socket) => socket.end(alert)));
		expect(outcome).toMatchObject({ kind: 'refused', forNow: false, reason: { kind: 'blocked' } });
		expect(JSON.stringify(outcome)).toMatch(/'Base URL' .* https/);
	});

	test.each([
		['that hangs up', async () => await serveTls({})],
		['other bytes', async () => await serveHello((socket) => socket.end('SSH-2.0-x\r\n'))],
	])('%s: it may have left', async (_, serve) => {
		expect(await asHttp(await serve())).toMatchObject(noAnswer);
	});
});

test('a time limit that ends a handshake: nothing left', async () => {
	const clock = makeClock();
	const server = await serveHello(() => clock.abort());
	const data = { ...credential, baseUrl: server.url, allowUnauthorizedCerts: true };
	const client = await connect(makeContext({ credential: data, http: send }));
	const request = { method: 'POST', path: '/', body: { to: '1' } } as const;
	const outcome = await client.attempt(request, 60_000);
	await server.close();
	expect(outcome).toEqual({ ...neverLeft, reason: { kind: 'neverLeft', text: 'ETIMEDOUT' } });
});

/** As something on the way sends it that gives up. */
const plain = 'HTTP/1.1 502 Bad Gateway\r\n\r\n';

describe.each([
	['keeps the cause', keepCause],
	['loses it', loseCause],
])('a handshake that ended, through an n8n that %s', (_, asThrown) => {
	test.each<[string, Parameters<typeof serveTls>]>([
		['a reset', [{}, (_tls, tcp) => tcp.resetAndDestroy()]],
		['an end', [{}, (tls) => tls.end()]],
		['the end of the connection below', [{}, (_tls, tcp) => tcp.destroy()]],
		['a client certificate in TLS 1.3', [{ requestCert: true, rejectUnauthorized: true }]],
	])('%s: it may have left', async (_, [options, onRequest]) => {
		expect(await judge(await serveTls(options, onRequest), asThrown)).toMatchObject(noAnswer);
	});

	test.each([undefined, 'TLSv1.2' as const])(
		'text that is no TLS, %j: the request left',
		async (maxVersion) => {
			const server = await serveTls({ maxVersion }, (_tls, tcp) => tcp.write(plain));
			expect(await judge(server, asThrown)).toMatchObject(noAnswer);
			expect(server.received()).toContain('POST / ');
		},
	);
});
