import { UserError } from 'n8n-workflow';

import { refused, refusedForNow, unknown, type Outcome } from './outcome';

/** Judges a request that ended without an answer. */
export function judgeFailure(error: unknown): Outcome {
	const causes = [...causeChain(error)];
	const blocked = causes.find((cause) => cause instanceof UserError);
	if (blocked) return refused({ kind: 'blocked', text: blocked.message });

	const text = findCode(causes);
	if (causes.some(neverLeft)) return refusedForNow({ kind: 'neverLeft', text });
	return unknown({ kind: 'noAnswer', text });
}

/** Judges a file that could not be opened: nothing left. */
export function judgeUnreadable(error: unknown): Outcome {
	return refused({ kind: 'unreadable', text: error instanceof Error ? error.message : undefined });
}

type NetworkError = Error & { code?: unknown; syscall?: unknown; errors?: NetworkError[] };

function* causeChain(error: unknown): Generator<NetworkError> {
	const seen = new Set<unknown>();
	for (let next = error; next instanceof Error && !seen.has(next); next = next.cause) {
		seen.add(next);
		yield next;
	}
}

const findCode = (causes: NetworkError[]): string | undefined =>
	causes.map(({ code }) => code).find((code): code is string => typeof code === 'string');

/** Node's codes for an unknown host, a connection never made, a certificate not accepted. */
const neverLeftCodes =
	/^(ECONNREFUSED|ENOTFOUND|EAI_\w+|ERR_INVALID_URL|ERR_TLS_\w+|ERR_SSL_WRONG_VERSION_NUMBER|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/;

function neverLeft({ code, syscall, message, errors }: NetworkError): boolean {
	// One attempt per address of the host: all of them have to have stopped at the connection.
	if (Array.isArray(errors) && errors.length > 0) return errors.every(neverLeft);
	if (syscall === 'connect') return true;
	if (code === 'EPROTO') return message.includes('wrong version number');
	return typeof code === 'string' && neverLeftCodes.test(code);
}
