import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { NodeApiError, UserError, type JsonObject } from 'n8n-workflow';

import * as judging from '../../../../nodes/gateway/judge/failure';
import { credential, node } from '../../../../testing/context';
import { send, serve } from '../../support/http';

const judgeFailure = (error: unknown) => judging.judgeFailure(error, String);
const judgeUnreadable = (error: unknown) => judging.judgeUnreadable(error, String);

const neverLeft = (text: string) => ({
	kind: 'refused',
	forNow: true,
	reason: { kind: 'neverLeft', text },
});
const noAnswer = (text?: string) => ({ kind: 'unknown', reason: { kind: 'noAnswer', text } });

const networkError = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
const wrapped = (error: unknown) => new NodeApiError(node, error as JsonObject);

/** As n8n-workflow up to 2.33 gives it: a class field wipes the cause out. */
const wrappedWithoutCause = (error: unknown) =>
	Object.defineProperty(wrapped(error), 'cause', { value: undefined });

test.each([
	['an unknown host', networkError('ENOTFOUND'), neverLeft('ENOTFOUND')],
	['a name server that is away', networkError('EAI_AGAIN'), neverLeft('EAI_AGAIN')],
	['no route', networkError('EHOSTUNREACH', { syscall: 'connect' }), neverLeft('EHOSTUNREACH')],
	[
		'no connection in time',
		networkError('ETIMEDOUT', { syscall: 'connect' }),
		neverLeft('ETIMEDOUT'),
	],
	['an expired certificate', networkError('CERT_HAS_EXPIRED'), neverLeft('CERT_HAS_EXPIRED')],
	[
		'a certificate of another host',
		networkError('ERR_TLS_CERT_ALTNAME_INVALID'),
		neverLeft('ERR_TLS_CERT_ALTNAME_INVALID'),
	],
	[
		'silence after the connection',
		networkError('ETIMEDOUT', { syscall: 'read' }),
		noAnswer('ETIMEDOUT'),
	],
	[
		'a code that only begins like one',
		networkError('ECONNREFUSED_LATER'),
		noAnswer('ECONNREFUSED_LATER'),
	],
	['a code that only ends like one', networkError('NOT_ENOTFOUND'), noAnswer('NOT_ENOTFOUND')],
	['TLS that is none', networkError('ERR_TLS_'), noAnswer('ERR_TLS_')],
	[
		'a chain of one',
		networkError('SELF_SIGNED_CERT_IN_CHAIN'),
		neverLeft('SELF_SIGNED_CERT_IN_CHAIN'),
	],
	[
		'a certificate that nobody has signed',
		networkError('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
		neverLeft('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
	],
	[
		'a certificate that has signed itself',
		networkError('DEPTH_ZERO_SELF_SIGNED_CERT'),
		neverLeft('DEPTH_ZERO_SELF_SIGNED_CERT'),
	],
	['a broken pipe', networkError('EPIPE', { syscall: 'write' }), noAnswer('EPIPE')],
	['a TLS alert later on', networkError('EPROTO', { message: 'bad record' }), noAnswer('EPROTO')],
	['a cancelled request', networkError('ERR_CANCELED'), noAnswer('ERR_CANCELED')],
	['an error without a code', new Error('?'), noAnswer()],
	[
		'no connection to any address of the host',
		Object.assign(
			new AggregateError([
				networkError('ECONNREFUSED', { syscall: 'connect' }),
				networkError('ENETUNREACH', { syscall: 'connect' }),
			]),
			{ code: 'ECONNREFUSED' },
		),
		neverLeft('ECONNREFUSED'),
	],
	[
		'a reset at one address of the host',
		Object.assign(
			new AggregateError([
				networkError('ECONNREFUSED', { syscall: 'connect' }),
				networkError('ECONNRESET', { syscall: 'read' }),
			]),
			{ code: 'ECONNRESET' },
		),
		noAnswer('ECONNRESET'),
	],
	[
		'a reset at the second address of the host',
		Object.assign(
			new AggregateError([
				networkError('ECONNREFUSED', { syscall: 'connect' }),
				networkError('ECONNRESET', { syscall: 'read' }),
			]),
			{ code: 'ECONNREFUSED' },
		),
		noAnswer('ECONNREFUSED'),
	],
	['no address and no code', new AggregateError([]), noAnswer()],
	[
		'no address, whatever the code',
		Object.assign(new AggregateError([]), { code: 'ECONNREFUSED', syscall: 'connect' }),
		noAnswer('ECONNREFUSED'),
	],
])('%s', (_, error, outcome) => {
	expect(judgeFailure(error)).toEqual(outcome);
	expect(judgeFailure(wrapped(error))).toEqual(outcome);
});

/** What Node says, and what is left of it without a cause: the code, and the message. */
test.each([
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', neverLeft('ECONNREFUSED')],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND gateway.invalid', neverLeft('ENOTFOUND')],
	['EAI_AGAIN', 'getaddrinfo EAI_AGAIN gateway.invalid', neverLeft('EAI_AGAIN')],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', neverLeft('ETIMEDOUT')],
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', neverLeft('EHOSTUNREACH')],
	['ENETUNREACH', 'connect ENETUNREACH 10.0.0.1:443', neverLeft('ENETUNREACH')],
	['CERT_HAS_EXPIRED', 'certificate has expired', neverLeft('CERT_HAS_EXPIRED')],
	['EPROTO', 'write EPROTO 1:error:ssl3_get_record:wrong version number:', neverLeft('EPROTO')],
	['ETIMEDOUT', 'read ETIMEDOUT', noAnswer('ETIMEDOUT')],
	['EHOSTUNREACH', 'read EHOSTUNREACH', noAnswer('EHOSTUNREACH')],
	['ECONNRESET', 'socket hang up', noAnswer('ECONNRESET')],
	['ECONNRESET', 'read ECONNRESET, not connect ECONNREFUSED 1.1.1.1:1', noAnswer('ECONNRESET')],
	['EPROTO', 'write EPROTO 1:error:ssl3_read_bytes:tlsv1 alert', noAnswer('EPROTO')],
	['ECONNABORTED', 'timeout of 100ms exceeded', noAnswer('ECONNABORTED')],
	['ERR_CANCELED', 'canceled', noAnswer('ERR_CANCELED')],
])('%s, worded %j', (code, message, outcome) => {
	const error = networkError(code, { message });
	expect(judgeFailure(wrappedWithoutCause(error))).toEqual(outcome);
	expect(judgeFailure(error)).toEqual(outcome);
});

test('an HTTP status is no code of the network', () => {
	const error = Object.assign(new Error('bad'), { response: { status: 502 }, status: 502 });
	expect(judgeFailure(wrappedWithoutCause(error))).toEqual(noAnswer());
});

test('a request that the credential did not let out is not tried again', () => {
	expect(judgeFailure(wrapped(new UserError('not sent to https://other.example')))).toEqual({
		kind: 'refused',
		forNow: false,
		reason: { kind: 'blocked', text: 'not sent to https://other.example' },
	});
});

test('causes that run in a circle come to an end', () => {
	const error = new Error('a');
	error.cause = new Error('b', { cause: error });
	expect(judgeFailure(error)).toEqual(noAnswer());
});

test.each([undefined, null, 'text', 7, {}])('%j, thrown, is no answer', (thrown) => {
	expect(judgeFailure(thrown)).toEqual(noAnswer());
});

test.each([
	[new Error('gone'), 'gone'],
	['?', undefined],
])('a file that cannot be opened: nothing left', (error, text) => {
	expect(judgeUnreadable(error)).toEqual({
		kind: 'refused',
		forNow: false,
		reason: { kind: 'unreadable', text },
	});
});

describe.each([
	['keeps the cause', (error: unknown) => error, 'ERR_BAD_RESPONSE'],
	[
		'loses it',
		(error: unknown) => Object.defineProperty(error as Error, 'cause', { value: undefined }),
		undefined, // n8n notes the status of the answer that began instead
	],
])('through an n8n that %s, and real sockets', (_, asThrown, cutShort) => {
	const judge = async (url: string, timeout = 60_000) =>
		judgeFailure(
			await send(
				{ ...credential, baseUrl: url },
				{ method: 'POST', url, body: { to: '1' }, json: true, timeout },
			).catch((error: unknown) => asThrown(error)),
		);

	test('a port where nobody listens', async () => {
		const server = await serve(() => {});
		await server.close();
		expect(await judge(server.url)).toEqual(neverLeft('ECONNREFUSED'));
	});

	test('a host that does not exist', async () => {
		expect(await judge('http://gateway.invalid')).toMatchObject(neverLeft(expect.any(String)));
	});

	test('a certificate that is not trusted', async () => {
		const pem = readFileSync(resolve(__dirname, '../../../../sandbox/localhost.pem'));
		const server = createServer({ key: pem, cert: pem }).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
		expect(await judge(url)).toEqual(neverLeft('DEPTH_ZERO_SELF_SIGNED_CERT'));
		server.close();
	});

	test.each<[string, Parameters<typeof serve>[0], string | undefined]>([
		['a reset', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
		['an end without an answer', (socket) => socket.end(), 'ECONNRESET'],
		['silence', () => {}, 'ECONNABORTED'],
		['an answer that is not HTTP', (socket) => socket.end('Hi!\r\n\r\n'), 'HPE_INVALID_CONSTANT'],
		[
			'an answer that was cut short',
			(socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
			cutShort,
		],
	])('%s after the request', async (_, answer, code) => {
		const server = await serve(answer);
		const outcome = await judge(server.url, code === 'ECONNABORTED' ? 100 : undefined);
		await server.close();
		expect(outcome).toEqual(noAnswer(code));
		expect(server.received).toHaveLength(1);
	});

	test('a server without TLS where TLS was asked for', async () => {
		const server = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		expect(await judge(server.url.replace('http:', 'https:'))).toEqual(neverLeft('EPROTO'));
		await server.close();
	});
});
