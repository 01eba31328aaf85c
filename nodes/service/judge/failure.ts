import { UserError } from 'n8n-workflow';

import { quote, type Redact } from '../../text/quote';
import { refused, explained, refusedForNow, unknown, type Outcome } from '../outcome';

/**
 * Judges a request that ended without an answer.
 *
 * @param redact removes secrets from what the outcome quotes
 * @param request the request's own error, if something else, such as a time limit, ended it
 */
export function judgeFailure(error: unknown, redact: Redact, request: unknown = error): Outcome {
	const causes = [...causeChain(error)];
	if (causes.some(({ message }) => message.startsWith('The request was blocked because '))) {
		const protection = {
			message:
				"n8n's protection against server-side requests (N8N_SSRF_PROTECTION_ENABLED) blocked the request",
			hint: "Add the service's host name to n8n's environment variable N8N_SSRF_ALLOWED_HOSTNAMES, or its IP address to N8N_SSRF_ALLOWED_IP_RANGES, e.g. 10.0.0.7/32. Then restart n8n.",
		};
		return refused(explained('blocked', protection));
	}
	const blocked = causes.find((cause) => cause instanceof UserError);
	if (blocked) return refused({ kind: 'blocked', text: quote(blocked.message, redact) });

	// A server that speaks TLS has not read a request in plain http.
	if (causes.some(isTlsAlert)) {
		const needsTls = {
			message: 'The service speaks https, so it could not read the request',
			hint: "Enter 'Base URL' in the Messaging Gateway credential with https in place of http.",
		};
		return refused(explained('blocked', needsTls));
	}
	const text = causes.map(codeOf).find((code) => code !== undefined);
	return hasNeverLeft([...causeChain(request)])
		? refusedForNow({ kind: 'neverLeft', text })
		: unknown({ kind: 'noAnswer', text });
}

/** Whether the bytes that are no HTTP, which axios wraps, are a TLS alert: a record of type 21, version 3. */
const isTlsAlert = ({ cause, rawPacket }: NetworkError): boolean => {
	const bytes = rawPacket ?? (cause as NetworkError | undefined)?.rawPacket;
	return bytes?.[0] === 21 && bytes[1] === 3;
};

/** Judges a file that could not be read to its end: no complete request was sent. */
export function judgeUnreadable(error: unknown, redact: Redact): Outcome {
	const text = error instanceof Error ? quote(error.message, redact) : undefined;
	return refused({ kind: 'unreadable', text });
}

/** An error of Node, or n8n's wrapper, which has no `cause` up to n8n-workflow 2.33. */
type NetworkError = Error & {
	code?: unknown;
	syscall?: unknown;
	/**
	 * The request has no socket until it has a connection: behind a proxy, until the proxy has connected.
	 * `alpnProtocol` is null until a TLS handshake has ended, and undefined without TLS.
	 */
	request?: { socket?: { alpnProtocol?: unknown } | null };
	errors?: NetworkError[];
	/** The bytes that Node could not parse. */
	rawPacket?: Uint8Array;
	/** n8n's: Node's code, or an HTTP status. */
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

/** Returns a network code such as `ECONNRESET`. */
export const codeOf = ({ code, httpCode }: NetworkError): string | undefined =>
	[code, httpCode].find((value): value is string => typeof value === 'string' && /\D/.test(value));

/**
 * Whether nothing can have been sent. The TLS handshake decides, if known: no request is sent before
 * its end, and after it only an untrusted certificate prevents one.
 */
function hasNeverLeft(causes: NetworkError[]): boolean {
	if (causes.some(({ request }) => request?.socket === null)) return true;
	const protocol = causes.map(({ request }) => request?.socket?.alpnProtocol);
	if (protocol.includes(null)) return true;
	if (protocol.some((value) => value !== undefined)) return causes.some(hasNoTrust);
	// One attempt per address of the host: none of them may have connected.
	const attempts = causes.find(({ errors }) => Array.isArray(errors))?.errors;
	if (attempts) return attempts.length > 0 && attempts.every(hasNoConnection);
	return causes.some(hasNoConnection);
}

/** Node's codes for a certificate that is not accepted. */
const certificateCodes =
	/^(ERR_TLS_CERT_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/;

/** Node's codes for an unknown host and for a connection that was never made. */
const noConnectionCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|ERR_INVALID_URL|ERR_TLS_\w+)$/;

/** Node's messages for an aborted handshake; others (`handshake failure`) may occur later, too. */
const noHandshake =
	/^(Client network socket disconnected before secure TLS connection was established$|write EPROTO .*:(wrong version number|tlsv1 alert protocol version):)/;

const hasNoTrust = (error: NetworkError): boolean => certificateCodes.test(codeOf(error) ?? '');

/** Whether there certainly was no connection: codes such as `ETIMEDOUT` occur with and without one. */
function hasNoConnection(error: NetworkError): boolean {
	const code = codeOf(error) ?? '';
	if (error.syscall === 'connect' || noConnectionCodes.test(code) || hasNoTrust(error)) return true;
	const texts = [error.message, error.messages].flat().map(String);
	return texts.some((text) => text.startsWith(`connect ${code} `) || noHandshake.test(text));
}
