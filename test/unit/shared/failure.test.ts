import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { NodeApiError, UserError, type JsonObject } from 'n8n-workflow';

import { judgeFailure, judgeUnreadable } from '../../../nodes/shared/judgeFailure';
import { credential, node } from '../support/context';
import { send, serve } from '../support/http';

const neverLeft = (text: string) => ({
	kind: 'refused',
	forNow: true,
	reason: { kind: 'neverLeft', text },
});
const noAnswer = (text?: string) => ({ kind: 'unknown', reason: { kind: 'noAnswer', text } });

const networkError = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
const wrapped = (error: unknown) => new NodeApiError(node, error as JsonObject);

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
])('%s', (_, error, outcome) => {
	expect(judgeFailure(error)).toEqual(outcome);
	expect(judgeFailure(wrapped(error))).toEqual(outcome);
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

describe('through n8n and real sockets', () => {
	const judge = async (url: string, timeout = 5_000) =>
		judgeFailure(
			await send(
				{ ...credential, baseUrl: url },
				{ method: 'POST', url, body: { to: '1' }, json: true, timeout },
			).catch((error: unknown) => error),
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
		const pem = readFileSync(resolve(__dirname, '../../../sandbox/localhost.pem'));
		const server = createServer({ key: pem, cert: pem }).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
		expect(await judge(url)).toEqual(neverLeft('DEPTH_ZERO_SELF_SIGNED_CERT'));
		server.close();
	});

	test.each<[string, Parameters<typeof serve>[0], string]>([
		['a reset', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
		['an end without an answer', (socket) => socket.end(), 'ECONNRESET'],
		['silence', () => {}, 'ECONNABORTED'],
		['an answer that is not HTTP', (socket) => socket.end('Hi!\r\n\r\n'), 'HPE_INVALID_CONSTANT'],
		[
			'an answer that was cut short',
			(socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
			'ERR_BAD_RESPONSE',
		],
	])('%s after the request', async (_, answer, code) => {
		const server = await serve(answer);
		expect(await judge(server.url, code === 'ECONNABORTED' ? 100 : undefined)).toEqual(
			noAnswer(code),
		);
		expect(server.received).toHaveLength(1);
		await server.close();
	});

	test('a server without TLS where TLS was asked for', async () => {
		const server = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		expect(await judge(server.url.replace('http:', 'https:'))).toEqual(neverLeft('EPROTO'));
		await server.close();
	});
});
