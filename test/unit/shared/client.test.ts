import { Readable } from 'node:stream';

import { connect, type GatewayRequest } from '../../../nodes/shared/client';
import { credential, makeContext } from '../support/context';
import { answerOf, send, serve } from '../support/http';

type Answer = Parameters<typeof serve>[0];

/** Makes one request to a server that answers like this. */
async function attempt(request: Partial<GatewayRequest>, answer: Answer, more: object = {}) {
	const server = await serve(answer);
	const data = { ...credential, baseUrl: `${server.url}/gateway/`, ...more };
	const client = await connect(makeContext({ credential: data, http: send }));
	const outcome = await client.attempt({ method: 'GET', path: '/v1/apikeys', ...request }, 5_000);
	await server.close();
	return { outcome, received: server.received, url: server.url };
}

const ok: Answer = (socket) => socket.end(answerOf(200, '{"success":true}'));

test.each<[string, Partial<GatewayRequest>, RegExp[]]>([
	[
		'a read',
		{ query: { status: 'a b&c' } },
		[/^GET \/gateway\/v1\/apikeys\?status=a(\+|%20)b%26c HTTP/],
	],
	[
		'a body',
		{ method: 'POST', body: { to: '1' } },
		[/^POST /, /content-type: application\/json/i, /\r\n\r\n\{"to":"1"\}$/],
	],
	[
		'a body on DELETE',
		{ method: 'DELETE', path: '/v2/chatapp/campaign/excluir', body: { campanhaId: '1' } },
		[/^DELETE \/gateway\/v2\//, /x-instance-token: token-/i, /\r\n\r\n\{"campanhaId":"1"\}$/],
	],
	['the key', {}, [new RegExp(`x-api-key: ${credential.apiKey}`, 'i')]],
])('%s', async (_, request, expected) => {
	const { outcome, received } = await attempt(request, ok);
	expect(outcome).toEqual({ kind: 'accepted', body: { success: true } });
	expect(received).toHaveLength(1);
	for (const pattern of expected) expect(received[0]).toMatch(pattern);
});

test('a stream is announced with its length, sent once, and closed', async () => {
	const stream = Readable.from(['{"a":', '"b"}']);
	const request = { method: 'POST', stream: { length: 9, open: async () => stream } } as const;
	const { received } = await attempt(request, ok);
	expect(received[0]).toMatch(/content-length: 9\r\n/i);
	expect(received[0]).not.toMatch(/transfer-encoding/i);
	expect(received[0]).toMatch(/\r\n\r\n\{"a":"b"\}$/);
	expect(stream.destroyed).toBe(true);
});

test('a stream is closed when the connection breaks, too', async () => {
	const stream = Readable.from(['12345678']);
	const request = { method: 'POST', stream: { length: 8, open: async () => stream } } as const;
	const { outcome } = await attempt(request, (socket) => socket.resetAndDestroy());
	expect(outcome).toMatchObject({ kind: 'unknown' });
	expect(stream.destroyed).toBe(true);
});

test('a stream that nobody read is closed, too', async () => {
	const stream = Readable.from(['12345678']);
	const client = await connect(makeContext()); // lets nothing out
	await client.attempt(
		{ method: 'POST', path: '/', stream: { length: 8, open: async () => stream } },
		5_000,
	);
	expect(stream.destroyed).toBe(true);
});

test('a file that cannot be opened sends nothing', async () => {
	const open = async () => await Promise.reject(new Error('no such file'));
	const { outcome, received } = await attempt({ stream: { length: 1, open } }, ok);
	expect(outcome).toMatchObject({ kind: 'refused', forNow: false, reason: { kind: 'unreadable' } });
	expect(received).toHaveLength(0);
});

test.each([
	[401, '{"success":false,"message":"Token inválido."}', [], 'refused', 'rejected'],
	[302, '', ['Location: https://evil.example/'], 'refused', 'redirect'],
	[429, '', ['Retry-After: 1'], 'refused', 'tooManyRequests'],
	[500, '<html>', [], 'unknown', 'serverFault'],
	[200, '{"success":tr', [], 'unknown', 'notJson'],
])(
	'status %d and the body %j: one request, no exception',
	async (status, body, headers, kind, reason) => {
		const { outcome, received } = await attempt({}, (socket) =>
			socket.end(answerOf(status, body, headers)),
		);
		expect(outcome).toMatchObject({ kind, reason: { kind: reason } });
		expect(received).toHaveLength(1);
	},
);

test('what may be shown of the address is its origin', async () => {
	const baseUrl = 'https://user:pass@gateway.example/prefix/';
	const client = await connect(makeContext({ credential: { ...credential, baseUrl } }));
	expect(client.origin).toBe('https://gateway.example');
	expect(client.redact(`a ${credential.apiKey} b ${credential.instanceToken}`)).toBe('a ••• b •••');
});

test.each([
	['token', true],
	[' ', false],
	[undefined, false],
])('an instance token %j counts: %j', async (instanceToken, has) => {
	const client = await connect(
		makeContext({ credential: { ...credential, instanceToken } as never }),
	);
	expect(client.hasInstanceToken).toBe(has);
});

test('a base URL that is no address is told at once', async () => {
	await expect(
		connect(makeContext({ credential: { ...credential, baseUrl: 'x' } })),
	).rejects.toThrow("'Base URL'");
});
