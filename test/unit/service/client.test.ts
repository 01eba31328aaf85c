import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { connect } from '../../../nodes/service/client';
import { refused, type Outcome } from '../../../nodes/service/outcome';
import type { GatewayRequest } from '../../../nodes/service/request';
import { credential, makeContext, type ContextOptions } from '../../../tools/shared/context';
import { answerOf, endlessAnswers, makeClock, send, serve } from '../support/http';

type Answer = Parameters<typeof serve>[0];

/** A client with this difference in its credential, which lets nothing out unless it is given a way. */
async function open(more: object = {}, http?: ContextOptions['http'], signal?: AbortSignal) {
	const context = makeContext({ credential: { ...credential, ...more }, http });
	if (signal) context.getExecutionCancelSignal = () => signal;
	return await connect(context);
}

/** Makes one request to a server that answers like this. */
async function attempt(request: Partial<GatewayRequest>, answer: Answer) {
	const server = await serve(answer);
	const client = await open({ baseUrl: `${server.url}/gateway/` }, send);
	const details = { method: 'GET', path: '/v1/apikeys', ...request } as const;
	const outcome = client.shown(await client.attempt(details, 60_000));
	await server.close();
	return { outcome, received: server.received, url: server.url };
}

/** What n8n is asked for. */
async function askedOf(request: GatewayRequest, timeoutMs: number) {
	let options: IHttpRequestOptions | undefined;
	const http = async (_: unknown, asked: IHttpRequestOptions) => {
		options = asked;
		return { statusCode: 200, headers: {}, body: '{}' };
	};
	await (await open({}, http)).attempt(request, timeoutMs);
	return options!;
}

const ok: Answer = (socket) => socket.end(answerOf(200, '{"success":true}'));

const body = { to: '1' };
const inBody = /\r\n\r\n\{"to":"1"\}$/;

test.each<[string, Partial<GatewayRequest>, RegExp[]]>([
	[
		'a read',
		{ query: { status: 'a b&c' } },
		[/^GET \/gateway\/v1\/apikeys\?status=a(\+|%20)b%26c /],
	],
	['a body', { method: 'POST', body }, [/^POST /, /content-type: application\/json/i, inBody]],
	[
		'a body on DELETE',
		{ method: 'DELETE', path: '/v2/chatapp/campaign/excluir', body },
		[/^DELETE \/gateway\/v2\//, /x-instance-token: token-/i, inBody],
	],
	['the key', {}, [new RegExp(`x-api-key: ${credential.apiKey}`, 'i')]],
])('%s', async (_, request, expected) => {
	const { outcome, received } = await attempt(request, ok);
	expect(outcome).toEqual({ kind: 'accepted', body: { success: true } });
	expect(received).toHaveLength(1);
	for (const pattern of expected) expect(received[0]).toMatch(pattern);
});

test('what n8n is asked for: one request, its answer whole, whatever its status', async () => {
	const request = { method: 'POST', path: '/v1/x', query: { a: '1' }, body: { b: 2 } } as const;
	expect(await askedOf(request, 700)).toEqual({
		...{ method: 'POST', url: 'https://gateway.example/v1/x', qs: { a: '1' }, body: { b: 2 } },
		...{ headers: {}, json: true, encoding: 'stream', timeout: 700 },
		...{ returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true },
		abortSignal: expect.any(AbortSignal),
	});
});

test.each([
	[2 ** 31, 2 ** 31 - 1],
	[1e21, 2 ** 31 - 1],
	[0.5, 0.5],
])('a time limit of %d ms is asked of n8n as %d ms', async (timeoutMs, asked) => {
	expect((await askedOf({ method: 'GET', path: '/' }, timeoutMs)).timeout).toBe(asked);
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

test('a body with a file is read anew for each attempt, and sent as it is', async () => {
	let reads = 0;
	const readBody = async () => await Promise.resolve(Buffer.from(`{"a": ${++reads}}`));
	const request = { method: 'POST', body: { a: 0 }, readBody } as const;
	for (const read of [1, 2]) {
		const [received] = (await attempt(request, ok)).received;
		expect(received).toMatch(/content-type: application\/json\r\n/i);
		expect(received).toMatch(/content-length: 8\r\n/i);
		expect(received!.endsWith(`\r\n\r\n{"a": ${read}}`)).toBe(true);
	}
});

test('a file that cannot be read sends nothing', async () => {
	const readBody = async () => await Promise.reject(new Error('no such file'));
	const { outcome, received } = await attempt({ readBody }, ok);
	expect(outcome).toMatchObject({ kind: 'refused', forNow: false, reason: { kind: 'unreadable' } });
	expect(received).toHaveLength(0);
});

test('an answer is given up at 16 MB, in pieces of any size', async () => {
	const read = async (mebibytes: number) => {
		const body = Readable.from(Array<Buffer>(mebibytes).fill(Buffer.alloc(2 ** 20, ' ')));
		const http = async () => await Promise.resolve({ statusCode: 200, headers: {}, body });
		const client = await open({}, http);
		return await client.attempt({ method: 'GET', path: '/' }, 60_000);
	};
	expect(await read(16)).toMatchObject({ reason: { kind: 'unusable' } });
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
	const client = await open({ baseUrl: server.url }, send);
	const outcome = await client.attempt({ method: 'POST', path: '/', body: { a: 'b' } }, 60_000);
	expect(outcome).toEqual(timedOut);
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
	const client = await open({ baseUrl: `http://127.0.0.1:${port}` }, send);
	const body = { text: 'x'.repeat(20_000_000) }; // more than the system takes in for it
	expect(await client.attempt({ method: 'POST', path: '/', body }, 60_000)).toEqual(timedOut);
	socket!.resume(); // sees the end of the connection
	await once(server.close(), 'close');
});

test('a stop before the request has left leaves nothing in doubt', async () => {
	const cancel = new AbortController();
	const http = jest.fn();
	const client = await open({}, http, cancel.signal);
	const readBody = async () => {
		cancel.abort(); // while the file is read
		return await Promise.resolve(Buffer.from('{}'));
	};
	const request = { method: 'POST', path: '/', readBody } as const;
	const reason = { kind: 'neverLeft', text: 'ERR_CANCELED' };
	expect(await client.attempt(request, 60_000)).toEqual({ kind: 'refused', forNow: true, reason });
	expect(http).not.toHaveBeenCalled();
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
	const client = await open({ baseUrl: 'https://user:pass@gateway.example/prefix/' });
	expect(client.origin).toBe('https://gateway.example');
	expect(client.redact(`a ${credential.apiKey} b ${credential.instanceToken}`)).toBe('a *** b ***');
});
