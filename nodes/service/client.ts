import {
	sleep,
	type IAllExecuteFunctions,
	type IExecuteSingleFunctions,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { accountOf, checkIsHere, addressBelow } from '../account/account';
import { credentialType } from '../account/credential';
import { maskTokens, redactor } from '../account/redaction';
import { longestTimerMs, withTimeout } from '../n8n/timeout';
import type { Redact } from '../text/quote';
import { judgeAnswer, type FlowingAnswer, type HttpAnswer } from './judge/answer';
import { judgeUnreadable, judgeFailure, codeOf } from './judge/failure';
import { cleanBody, refusedForNow, type Outcome } from './outcome';
import type { GatewayRequest } from './request';

/** The context that n8n gives to nodes, unless they are declarative. */
export type GatewayContext = Exclude<IAllExecuteFunctions, IExecuteSingleFunctions>;

/** One account at the service: what its credential says, and its requests. */
export type Client = ReturnType<typeof connectTo>;

export async function connect(context: GatewayContext): Promise<Client> {
	return connectTo(context, await context.getCredentials(credentialType));
}

/** Shorter keys would be found in harmless values: a number, a date. */
const shortestSecretInAnswer = 8;

/**
 * Returns the client of a credential that was read already.
 *
 * @param hide removes what nobody may see, besides the key and the token, from what is shown
 * @throws UserError when the credential has no usable address or key, or is for another n8n
 */
export function connectTo(
	context: GatewayContext,
	credential: ICredentialDataDecryptedObject,
	hide: Redact = maskTokens,
) {
	const account = accountOf(credential);
	checkIsHere(context, account);
	const { baseUrl: base, apiKey, instanceToken } = account;
	const secrets = [apiKey, instanceToken];
	const redactSecrets = redactor(secrets);
	const redact: Redact = (text) => hide(redactSecrets(text));
	const redactLong = redactor(secrets, shortestSecretInAnswer);
	// Decrypted, it is passed on: n8n would read and decrypt it for each request.
	const names = { id: credentialType, name: credentialType, type: credentialType };
	const credentialsDecrypted: ICredentialsDecrypted = { ...names, data: credential };

	return Object.assign(account, {
		/** The part of the base URL that may be shown. */
		origin: base.origin,
		redact,

		shown(outcome: Outcome): Outcome {
			if (outcome.kind !== 'accepted' || outcome.body === undefined) return outcome;
			return { ...outcome, body: cleanBody(outcome.body, (text) => hide(redactLong(text))) };
		},

		/**
		 * Makes one request, once, within a time limit from connection to end of answer. Never throws.
		 *
		 * @param endsOnStop whether a stopped execution ends it at once; else, once it has left, it goes on
		 */
		async attempt(request: GatewayRequest, timeoutMs: number, endsOnStop = true): Promise<Outcome> {
			let file: Buffer | undefined;
			try {
				file = await request.readBody?.();
			} catch (error) {
				return judgeUnreadable(error, redact);
			}
			const options: IHttpRequestOptions = {
				method: request.method,
				url: addressBelow(base, request.path),
				qs: request.query,
				body: file ?? request.body,
				headers: file ? { 'Content-Type': 'application/json' } : {},
				json: true,
				encoding: 'stream', // limits size and time, see `readWhole`; leaves the body unparsed
				timeout: Math.min(timeoutMs, longestTimerMs),
				returnFullResponse: true,
				ignoreHttpStatusErrors: true, // on 401, n8n would repeat the request
				disableFollowRedirect: true,
			};
			const cancel = cancelSignalOf(context);
			let failure: unknown;
			try {
				if (cancel?.aborted) return refusedForNow({ kind: 'neverLeft', text: 'ERR_CANCELED' });
				const stop = endsOnStop ? cancel : undefined;
				const answer = await withTimeout(timeoutMs, stop, async (signal) => {
					const { httpRequestWithAuthentication } = context.helpers;
					const flowing = await httpRequestWithAuthentication
						.call(withSignal(context, signal), credentialType, options, { credentialsDecrypted })
						.catch((error: unknown) => {
							failure = error;
							throw error;
						});
					return await readWhole(flowing as FlowingAnswer, signal);
				});
				const said = judgeAnswer(answer, request.expected ?? 'object', redact);
				return request.judge?.(said) ?? said;
			} catch (error) {
				if (failure === undefined) await sleep(0); // aborted here: its error shows how far it got
				return judgeFailure(error, redact, failure);
			}
		},
	});
}

const cancelSignalOf = (context: GatewayContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** n8n takes the signal that aborts a request from the context, not from the request's options. */
const withSignal = (context: GatewayContext, signal: AbortSignal): GatewayContext =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as GatewayContext;

/** The longest answer, in bytes, decompressed: more than a list of 100,000 messages. */
const longestAnswerBytes = 16 * 1024 * 1024;

/**
 * Reads an answer as text. Closes its connection if it is too large or breaks off, and when the
 * signal aborts. Never throws: an error would mean that the request may not have arrived.
 */
export async function readWhole(answer: FlowingAnswer, signal: AbortSignal): Promise<HttpAnswer> {
	const { body } = answer;
	if (!isStream(body)) return answer;
	const close = () => body.destroy();
	signal.addEventListener('abort', close);
	try {
		const bytes = await firstBytes(body, longestAnswerBytes + 1);
		return bytes.length <= longestAnswerBytes
			? { ...answer, body: new TextDecoder().decode(bytes) }
			: { ...answer, body: undefined, unread: { kind: 'tooLarge', status: answer.statusCode } };
	} catch (error) {
		const text = codeOf(error as Error);
		return { ...answer, body: undefined, unread: { kind: 'noAnswer', text } };
	} finally {
		signal.removeEventListener('abort', close);
	}
}

/** Reads the beginning of a stream, which ends then: leaving the loop closes the connection. */
async function firstBytes(stream: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of stream) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= most) break;
	}
	return Buffer.concat(chunks).subarray(0, most);
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> & { destroy(): unknown } =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
