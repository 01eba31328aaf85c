import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { SsrfBlockedHostnameError, SsrfBlockedIpError } from '@n8n/backend-network';
import { NodeApiError, UserError, type JsonObject } from 'n8n-workflow';

import * as judging from '../../../../nodes/service/judge/failure';
import { credential, node } from '../../../../tools/shared/context';
import { loseCause, send, serve } from '../../support/http';

const judgeFailure = (error: unknown) => judging.judgeFailure(error, String);

const neverLeft = (text: unknown) => ({
	kind: 'refused',
	forNow: true,
	reason: { kind: 'neverLeft', text },
});
const noAnswer = (text?: string) => ({ kind: 'unknown', reason: { kind: 'noAnswer', text } });

const networkError = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
const wrapped = (error: unknown) => new NodeApiError(node, error as JsonObject);

const connect = { syscall: 'connect' };

test.each([
	['ENOTFOUND', {}, neverLeft], // an unknown host
	['EAI_AGAIN', {}, neverLeft], // a name server that is away
	['EHOSTUNREACH', connect, neverLeft],
	['ETIMEDOUT', connect, neverLeft],
	['CERT_HAS_EXPIRED', {}, neverLeft],
	['ERR_TLS_CERT_ALTNAME_INVALID', {}, neverLeft],
	['SELF_SIGNED_CERT_IN_CHAIN', {}, neverLeft],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, neverLeft],
	['DEPTH_ZERO_SELF_SIGNED_CERT', {}, neverLeft],
	['ETIMEDOUT', { syscall: 'read' }, noAnswer],
	['EPIPE', { syscall: 'write' }, noAnswer],
	['EPROTO', { message: 'bad record' }, noAnswer], // a TLS alert later on
	['ERR_CANCELED', {}, noAnswer],
	// What only begins, or only ends, like a code.
	['ECONNREFUSED_LATER', {}, noAnswer],
	['NOT_ENOTFOUND', {}, noAnswer],
	['ERR_TLS_', {}, noAnswer],
])('%s with %j', (code, more, outcome) => {
	const error = networkError(code, more);
	expect(judgeFailure(error)).toEqual(outcome(code));
	expect(judgeFailure(wrapped(error))).toEqual(outcome(code));
});

const refused = networkError('ECONNREFUSED', connect);
const reset = networkError('ECONNRESET', { syscall: 'read' });

/** One attempt per address of the host. */
test.each([
	[[refused, networkError('ENETUNREACH', connect)], { code: 'ECONNREFUSED' }, neverLeft],
	[[refused, reset], { code: 'ECONNRESET' }, noAnswer],
	[[refused, reset], { code: 'ECONNREFUSED' }, noAnswer],
	[[], { code: 'ECONNREFUSED', ...connect }, noAnswer],
	[[], { code: undefined }, noAnswer],
])('attempts that end as %p, with %j', (attempts, more, outcome) => {
	const error = Object.assign(new AggregateError(attempts), more);
	expect(judgeFailure(error)).toEqual(outcome(more.code));
	expect(judgeFailure(wrapped(error))).toEqual(outcome(more.code));
});

/** What Node says, and what is left of it without a cause: the code, and the message. */
test.each([
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', neverLeft],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND gateway.invalid', neverLeft],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', neverLeft],
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', neverLeft],
	['CERT_HAS_EXPIRED', 'certificate has expired', neverLeft],
	['EPROTO', 'write EPROTO 1:error:ssl3_get_record:wrong version number:', neverLeft],
	['ETIMEDOUT', 'read ETIMEDOUT', noAnswer],
	['EHOSTUNREACH', 'read EHOSTUNREACH', noAnswer],
	['ECONNRESET', 'socket hang up', noAnswer],
	['ECONNRESET', 'read ECONNRESET, not connect ECONNREFUSED 1.1.1.1:1', noAnswer],
	['EPROTO', 'write EPROTO 1:error:ssl3_read_bytes:tlsv1 alert', noAnswer],
	['ECONNABORTED', 'timeout of 100ms exceeded', noAnswer],
])('%s, worded %j', (code, message, outcome) => {
	const error = networkError(code, { message });
	expect(judgeFailure(loseCause(wrapped(error)))).toEqual(outcome(code));
	expect(judgeFailure(error)).toEqual(outcome(code));
});

test('an HTTP status is no code of the network', () => {
	const error = Object.assign(new Error('bad'), { response: { status: 502 }, status: 502 });
	expect(judgeFailure(loseCause(wrapped(error)))).toEqual(noAnswer());
});

test('a request that the credential did not let out is not tried again', () => {
	expect(judgeFailure(wrapped(new UserError('not sent to https://other.example')))).toEqual({
		kind: 'refused',
		forNow: false,
		reason: { kind: 'blocked', text: 'not sent to https://other.example' },
	});
});

test.each([new SsrfBlockedIpError('10.0.0.7'), new SsrfBlockedHostnameError('sms.internal')])(
	"what n8n's protection has blocked has not left: %s",
	(error) => {
		const blocked = {
			kind: 'refused',
			forNow: false,
			reason: {
				kind: 'blocked',
				explanation: expect.objectContaining({ hint: expect.stringContaining('SSRF_ALLOWED') }),
			},
		};
		expect(judgeFailure(wrapped(error))).toEqual(blocked);
		expect(judgeFailure(loseCause(wrapped(error)))).toEqual(blocked);
	},
);

test('causes that run in a circle come to an end', () => {
	const error = new Error('a');
	error.cause = new Error('b', { cause: error });
	expect(judgeFailure(error)).toEqual(noAnswer());
});

test.each([undefined, null, 'text', {}, new Error('?')])('%p, thrown, is no answer', (thrown) => {
	expect(judgeFailure(thrown)).toEqual(noAnswer());
});

describe.each([
	['keeps the cause', (error: unknown) => error, 'ERR_BAD_RESPONSE'],
	['loses it', loseCause, undefined], // n8n notes the status of the answer that began instead
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
		const pem = readFileSync(resolve(__dirname, '../../../../tools/sandbox/localhost.pem'));
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
		const outcome = await judge(server.url, code === 'ECONNABORTED' ? 1_000 : undefined);
		await server.close();
		expect(outcome).toEqual(noAnswer(code));
		expect(server.received).toHaveLength(1);
	});
});
