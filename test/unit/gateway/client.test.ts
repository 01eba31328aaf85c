import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { connect } from '../../../nodes/gateway/client';
import { refused, type Outcome } from '../../../nodes/gateway/outcome';
import type { GatewayRequest } from '../../../nodes/gateway/request';
import { credential, makeContext } from '../../../tools/shared/context';
import { answerOf, endlessAnswers, makeClock, send, serve } from '../support/http';

type Answer = Parameters<typeof serve>[0];

/** Makes one request to a server that answers like this. */
async function attempt(request: Partial<GatewayRequest>, answer: Answer) {
	const server = await serve(answer);
	const data = { ...credential, baseUrl: `${server.url}/gateway/` };
	const client = await connect(makeContext({ credential: data, http: send }));
	const details = { method: 'GET', path: '/v1/apikeys', ...request } as const;
	const outcome = client.shown(await client.attempt(details, 60_000));
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

test('what n8n is asked for: one request, its answer whole, whatever its status', async () => {
	let options: IHttpRequestOptions | undefined;
	const http = async (_: unknown, asked: IHttpRequestOptions) => {
		options = asked;
		return { statusCode: 200, headers: {}, body: '{}' };
	};
	const client = await connect(makeContext({ http }));
	await client.attempt({ method: 'POST', path: '/v1/x', query: { a: '1' }, body: { b: 2 } }, 700);
	expect(options).toEqual({
		method: 'POST',
		url: 'https://gateway.example/v1/x',
		qs: { a: '1' },
		body: { b: 2 },
		headers: {},
		json: true,
		encoding: 'stream',
		timeout: 700,
		returnFullResponse: true,
		ignoreHttpStatusErrors: { ignore: true, except: [502, 503, 504] },
		disableFollowRedirect: true,
		abortSignal: expect.any(AbortSignal),
	});
});

test.each([
	[2 ** 31, 2 ** 31 - 1],
	[1e21, 2 ** 31 - 1],
	[0.5, 0.5],
])('a time limit of %d ms is asked of n8n as %d ms', async (timeoutMs, asked) => {
	const seen: unknown[] = [];
	const http = async (_: unknown, { timeout }: IHttpRequestOptions) => {
		seen.push(timeout);
		return { statusCode: 200, headers: {}, body: '{}' };
	};
	await (await connect(makeContext({ http }))).attempt({ method: 'GET', path: '/' }, timeoutMs);
	expect(seen).toEqual([asked]);
});

test('what an answer means is up to its request', async () => {
	const said: Outcome[] = [];
	const nothing = refused({ kind: 'rejected' });
	const judge = (outcome: Outcome) => {
		said.push(outcome);
		return outcome.kind === 'accepted' ? nothing : outcome;
	};
	expect((await attempt({ judge }, ok)).outcome).toBe(nothing);
	const no: Answer = (socket) => socket.end(answerOf(400, '{}'));
	const { outcome } = await attempt({ judge }, no);
	expect(outcome).toMatchObject({ kind: 'refused', reason: { status: 400 } });
	expect(said).toEqual([{ kind: 'accepted', body: { success: true } }, outcome]);
});

test('an execution that was cancelled sends nothing', async () => {
	const context = makeContext(); // where nothing may be sent
	context.getExecutionCancelSignal = () => AbortSignal.abort();
	const client = await connect(context);
	expect(await client.attempt({ method: 'GET', path: '/v1/x' }, 700)).toEqual({
		kind: 'refused',
		forNow: true,
		reason: { kind: 'neverLeft', text: 'ERR_CANCELED' },
	});
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

test('a stream that nobody read is closed, too', async () => {
	const stream = Readable.from(['12345678']);
	const request = { method: 'POST', path: '/', stream: { length: 8, open: async () => stream } };
	const client = await connect(makeContext()); // lets nothing out
	await client.attempt(request as GatewayRequest, 60_000);
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
	[101, '', [], 'unknown', 'unusable'],
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

test('an answer is given up at 16 MB, in pieces of any size', async () => {
	const read = async (mebibytes: number) => {
		const body = Readable.from(Array<Buffer>(mebibytes).fill(Buffer.alloc(2 ** 20, ' ')));
		const http = async () => await Promise.resolve({ statusCode: 200, headers: {}, body });
		const client = await connect(makeContext({ http }));
		return await client.attempt({ method: 'GET', path: '/' }, 60_000);
	};
	expect(await read(16)).toMatchObject({ reason: { kind: 'empty' } });
	expect(await read(17)).toMatchObject({ kind: 'unknown', reason: { kind: 'tooLarge' } });
});

const timedOut = { kind: 'unknown', reason: { kind: 'noAnswer', text: 'ETIMEDOUT' } };

test.each(endlessAnswers)("%s ends at 'Timeout', and so does the connection", async (_, answer) => {
	const clock = makeClock();
	let closed: Promise<unknown> | undefined;
	const server = await serve((socket, request) => {
		closed = new Promise((resolve) => socket.once('close', resolve)); // which an error may precede
		answer(socket, request);
		setTimeout(() => clock.abort(), 30);
	});
	const data = { ...credential, baseUrl: server.url };
	const client = await connect(makeContext({ credential: data, http: send }));
	const stream = Readable.from(['{"a":', '"b"}']);
	const request = { length: 9, open: async () => stream };
	const outcome = await client.attempt({ method: 'POST', path: '/', stream: request }, 60_000);
	expect(outcome).toEqual(timedOut);
	expect(stream.destroyed).toBe(true);
	await closed;
	await server.close();
});

test("a service that does not read the request to its end ends at 'Timeout', too", async () => {
	const clock = makeClock();
	let socket: Socket | undefined;
	const server = createServer((opened) => {
		socket = opened.on('error', () => {}).once('data', () => clock.abort(opened.pause()));
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const data = { ...credential, baseUrl: `http://127.0.0.1:${port}` };
	const client = await connect(makeContext({ credential: data, http: send }));
	const body = { text: 'x'.repeat(20_000_000) }; // more than the system takes in for it
	expect(await client.attempt({ method: 'POST', path: '/', body }, 60_000)).toEqual(timedOut);
	socket!.resume(); // sees the end of the connection
	await once(server.close(), 'close');
});

describe('the stop button', () => {
	const open = (cancel: AbortController, http = send) => {
		const context = makeContext({ http });
		context.getExecutionCancelSignal = () => cancel.signal;
		return connect(context);
	};

	test('ends a request that is under way', async () => {
		const cancel = new AbortController();
		const client = await open(cancel, async () => await new Promise(() => {}));
		const outcome = client.attempt({ method: 'POST', path: '/' }, 60_000);
		await new Promise(setImmediate);
		cancel.abort();
		expect(await outcome).toMatchObject({ kind: 'unknown', reason: { text: 'ERR_CANCELED' } });
	});

	test('before the request has left, it leaves nothing in doubt', async () => {
		const cancel = new AbortController();
		const http = jest.fn();
		const client = await open(cancel, http);
		const stream = Readable.from(['12345678']);
		const openFile = async () => {
			cancel.abort(); // while the file is opened
			return await Promise.resolve(stream);
		};
		const request = { method: 'POST', path: '/', stream: { length: 8, open: openFile } } as const;
		expect(await client.attempt(request, 60_000)).toMatchObject({ kind: 'refused' });
		expect(http).not.toHaveBeenCalled();
		expect(stream.destroyed).toBe(true);
	});
});

test('n8n finds its own context behind the one that it is given', async () => {
	const seen: unknown[] = [];
	const context = makeContext();
	const { httpRequestWithAuthentication } = context.helpers;
	context.helpers.httpRequestWithAuthentication = async function (this, ...args) {
		seen.push(this.getNode(), this.helpers);
		return (await httpRequestWithAuthentication.apply(this, args)) as never;
	};
	const before = context.getExecutionCancelSignal;
	await (await connect(context)).attempt({ method: 'GET', path: '/' }, 60_000);
	expect(seen).toEqual([context.getNode(), context.helpers]);
	expect(context.getExecutionCancelSignal).toBe(before);
});

test('what may be shown of the address is its origin', async () => {
	const baseUrl = 'https://user:pass@gateway.example/prefix/';
	const client = await connect(makeContext({ credential: { ...credential, baseUrl } }));
	expect(client.origin).toBe('https://gateway.example');
	expect(client.redact(`a ${credential.apiKey} b ${credential.instanceToken}`)).toBe('a ••• b •••');
});
