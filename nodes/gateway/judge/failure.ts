import { UserError } from 'n8n-workflow';

import { refused, refusedForNow, unknown, type Outcome } from '../outcome';
import { quote, type Redact } from '../../text/quote';

/**
 * Judges a request that ended without an answer.
 *
 * @param redact takes secrets out of what the outcome quotes
 * @param request the request's own failure, where something else, as a time limit, has ended it
 */
export function judgeFailure(error: unknown, redact: Redact, request: unknown = error): Outcome {
	const causes = [...causeChain(error)];
	const blocked = causes.find((cause) => cause instanceof UserError);
	if (blocked) return refused({ kind: 'blocked', text: quote(blocked.message, redact) });

	const text = causes.map(codeOf).find((code) => code !== undefined);
	if (neverLeft([...causeChain(request)])) return refusedForNow({ kind: 'neverLeft', text });
	return unknown({ kind: 'noAnswer', text });
}

/** Judges a file that could not be read to its end: no whole request left. */
export function judgeUnreadable(error: unknown, redact: Redact): Outcome {
	const text = error instanceof Error ? quote(error.message, redact) : undefined;
	return refused({ kind: 'unreadable', text });
}

/** An error of Node's, or one of n8n's around it, which up to n8n-workflow 2.33 has no `cause`. */
type NetworkError = Error & {
	code?: unknown;
	syscall?: unknown;
	/** Of a socket with TLS: null until its handshake has ended. */
	request?: { socket?: { alpnProtocol?: unknown } | null };
	errors?: NetworkError[];
	/** n8n's: the code of Node's, or the HTTP status of an answer. */
	httpCode?: unknown;
	/** n8n's: the messages that it replaced. */
	messages?: unknown;
};

function* causeChain(error: unknown): Generator<NetworkError> {
	const seen = new Set<unknown>();
	for (let next = error; next instanceof Error && !seen.has(next); next = next.cause) {
		seen.add(next);
		yield next;
	}
}

/** The network's code that an error has, in its own words: `ECONNRESET`. */
export const codeOf = ({ code, httpCode }: NetworkError): string | undefined =>
	[code, httpCode].find((value): value is string => typeof value === 'string' && /\D/.test(value));

/**
 * Whether nothing can have left. Where the socket tells whether its TLS handshake ended, that decides:
 * no byte of a request goes before it, and after it only a certificate stops one.
 */
function neverLeft(causes: NetworkError[]): boolean {
	const protocol = causes.map(({ request }) => request?.socket?.alpnProtocol);
	if (protocol.includes(null)) return true;
	if (protocol.some((value) => value !== undefined)) return causes.some(hasNoTrust);
	// One attempt per address of the host: all of them have to have stopped at the connection.
	const attempts = causes.find(({ errors }) => Array.isArray(errors))?.errors;
	if (attempts) return attempts.length > 0 && attempts.every(hasNoConnection);
	return causes.some(hasNoConnection);
}

/** Node's codes for a certificate that is not accepted. */
const certificateCodes =
	/^(ERR_TLS_CERT_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/;

/** Node's codes for an unknown host, and for a connection never made. */
const noConnectionCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|ERR_INVALID_URL|ERR_TLS_\w+)$/;

/** How Node words a handshake that broke off; other words (`handshake failure`) may come later, too. */
const noHandshake =
	/^(Client network socket disconnected before secure TLS connection was established$|write EPROTO .*:(wrong version number|tlsv1 alert protocol version):)/;

/** Whether one of these codes is about a certificate. */
export const isOfCertificate = (code = ''): boolean => /CERT|SIGN/.test(code);

const hasNoTrust = (error: NetworkError): boolean => certificateCodes.test(codeOf(error) ?? '');

/** Only what is certain counts: other codes (`ETIMEDOUT`) come before and after a connection. */
function hasNoConnection(error: NetworkError): boolean {
	const code = codeOf(error) ?? '';
	if (error.syscall === 'connect' || noConnectionCodes.test(code) || hasNoTrust(error)) return true;
	const texts = [error.message, error.messages].flat().map(String);
	return texts.some((text) => text.startsWith(`connect ${code} `) || noHandshake.test(text));
}
