import { sleep } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { addressBelow, parseBaseUrl } from './authenticate';
import { longestTimerMs, within } from './pacing/deadline';
import { openNames, type OpenNames } from './account';
import { judgeAnswer } from './judge/answer';
import { judgeFailure, judgeUnreadable } from './judge/failure';
import { refusedForNow, type Outcome } from './outcome';
import type { GatewayRequest } from './request';
import type { Redact } from '../text/quote';
import { toText } from '../text/toText';
import { asShown, maskTokens, redactor } from './redaction';
import { readWhole, type FlowingAnswer } from './wholeAnswer';

export const credentialType = 'messagingGatewayApi';

/** Whatever n8n calls the nodes with. */
export type Context =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** One account at the service: its open names, and a way to make requests. */
export interface Client {
	names: OpenNames;
	hasInstanceToken: boolean;
	/** The part of the base URL that may be shown to a person. */
	origin: string;
	/**
	 * Makes one request, once. Says what became of it; never throws.
	 *
	 * @param timeoutMs for the whole of it, from the connection to the end of the answer
	 */
	attempt(request: GatewayRequest, timeoutMs: number): Promise<Outcome>;
	/** What became of a request, as it may be shown: the answer without the account's secrets, too. */
	shown(outcome: Outcome): Outcome;
	/** Whether a masked key ends as the credential's own does. */
	isOwnKey(masked: unknown): boolean;
	/** Takes the account's key and token out of a text. */
	redact: Redact;
}

/**
 * Reads the credential once and makes a client of it.
 *
 * @throws UserError when the credential's base URL is not an address
 */
export async function connect(context: Context): Promise<Client> {
	return connectTo(context, await context.getCredentials(credentialType));
}

/** A shorter key stands in too much that holds none: a number, a date. */
const shortestInAnswer = 8;

/**
 * Makes a client of a credential that was read already.
 *
 * @param hide takes out of what is shown what nobody is to see, besides the key and the token
 * @throws UserError when the credential's base URL is not an address
 */
export function connectTo(
	context: Context,
	credential: ICredentialDataDecryptedObject,
	hide: Redact = maskTokens,
): Client {
	const base = parseBaseUrl(credential);
	const redactSecrets = redactor(credential);
	const redact: Redact = (text) => hide(redactSecrets(text));
	const redactLong = redactor(credential, shortestInAnswer);
	// Handed to n8n with each request, so that it does not read and decrypt the credential again.
	const names = { id: credentialType, name: credentialType, type: credentialType };
	const credentialsDecrypted: ICredentialsDecrypted = { ...names, data: credential };

	return {
		names: openNames(credential),
		hasInstanceToken: String(credential.instanceToken ?? '').trim() !== '',
		origin: base.origin,
		isOwnKey(masked) {
			const [end = ''] = /[\w-]{4,}$/.exec(toText(masked ?? '')) ?? [];
			return (
				end !== '' &&
				toText(credential.apiKey ?? '')
					.trim()
					.endsWith(end)
			);
		},
		redact,

		shown(outcome) {
			const body = outcome.kind === 'accepted' ? outcome.body : undefined;
			if (body) asShown(body, (text) => hide(redactLong(text)));
			return outcome;
		},

		async attempt(request, timeoutMs) {
			let stream;
			try {
				stream = await request.stream?.open();
			} catch (error) {
				return judgeUnreadable(error, redact);
			}
			const cancel = cancelSignalOf(context);
			const options: IHttpRequestOptions = {
				method: request.method,
				url: addressBelow(base, request.path),
				qs: request.query,
				body: stream ?? request.body,
				headers: request.stream
					? { 'Content-Type': 'application/json', 'Content-Length': request.stream.length }
					: {},
				json: true,
				encoding: 'stream', // read here, so that it has an end, and is judged as it came
				timeout: Math.min(timeoutMs, longestTimerMs),
				returnFullResponse: true,
				ignoreHttpStatusErrors: true, // n8n would repeat a request by itself on 401
				disableFollowRedirect: true,
			};
			let failure: unknown;
			try {
				if (cancel?.aborted) return refusedForNow({ kind: 'neverLeft', text: 'ERR_CANCELED' });
				const answer = await within(timeoutMs, cancel, async (signal) => {
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
				// A body that broke off is no whole request, which nothing can have been made of.
				if (stream?.errored) return judgeUnreadable(stream.errored, redact);
				if (failure === undefined) await sleep(0); // ended from here, it tells how far it came
				return judgeFailure(error, redact, failure);
			} finally {
				stream?.destroy();
			}
		},
	};
}

const cancelSignalOf = (context: Context): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** n8n takes the signal that ends a request from the context, whatever the request's options say. */
const withSignal = (context: Context, signal: AbortSignal): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
