import { UserError } from 'n8n-workflow';

import { refused, refusedForNow, unknown, type Outcome } from './outcome';
import { quote, type Redact } from './quote';

/**
 * Judges a request that ended without an answer.
 *
 * @param redact takes secrets out of what the outcome quotes
 */
export function judgeFailure(error: unknown, redact: Redact): Outcome {
	const causes = [...causeChain(error)];
	const blocked = causes.find((cause) => cause instanceof UserError);
	if (blocked) return refused({ kind: 'blocked', text: quote(blocked.message, redact) });

	const text = causes.map(codeOf).find((code) => code !== undefined);
	if (neverLeft(causes)) return refusedForNow({ kind: 'neverLeft', text });
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

const codeOf = ({ code, httpCode }: NetworkError): string | undefined =>
	[code, httpCode].find((value): value is string => typeof value === 'string' && /\D/.test(value));

/** One attempt per address of the host: all of them have to have stopped at the connection. */
function neverLeft(causes: NetworkError[]): boolean {
	const attempts = causes.find(({ errors }) => Array.isArray(errors))?.errors;
	if (attempts) return attempts.length > 0 && attempts.every(hasNoConnection);
	return causes.some(hasNoConnection);
}

/** Node's codes for an unknown host, a connection never made, a certificate not accepted. */
const neverLeftCodes =
	/^(ECONNREFUSED|ENOTFOUND|EAI_\w+|ERR_INVALID_URL|ERR_TLS_\w+|ERR_SSL_WRONG_VERSION_NUMBER|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/;

/** Whether one of these codes is about a certificate. */
export const isOfCertificate = (code = ''): boolean => /CERT|SIGN/.test(code);

/** Only what is certain counts: other codes (`ETIMEDOUT`) come before and after a connection. */
function hasNoConnection(error: NetworkError): boolean {
	const code = codeOf(error) ?? '';
	const texts = [error.message, error.messages].flat().map(String);
	if (error.syscall === 'connect' || neverLeftCodes.test(code)) return true;
	if (code === 'EPROTO') return texts.some((text) => text.includes('wrong version number'));
	return texts.some((text) => text.startsWith(`connect ${code} `)); // how Node words it
}
