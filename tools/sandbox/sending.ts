import { TLSSocket } from 'node:tls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './faults';

export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer) {
	reply.status(status);
	if (typeof body !== 'string') reply.type('application/json; charset=utf-8');
	if (headers) reply.headers(headers);
	if (body === undefined) return reply.send();
	return reply.send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Ends the connection without an answer. */
export function reset({ raw: { socket } }: FastifyRequest, reply: FastifyReply) {
	reply.hijack();
	// Only a plain TCP socket can send a reset; a TLS connection just ends.
	if (socket instanceof TLSSocket) socket.destroy();
	else socket.resetAndDestroy();
}
