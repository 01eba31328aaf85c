import {
	NodeApiError,
	sleep,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type IAllExecuteFunctions,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

import { addressBelow, parseBaseUrl, secretsOf } from './authenticate';
import { longestTimerMs, within } from './pacing/time';
import { Limiter } from './pacing/limiter';
import { Pace } from './pacing/pace';
import { openNames } from './serviceNames';
import { judgeAnswer, type FlowingAnswer } from './judge/answer';
import { answerIn, judgeFailure, judgeUnreadable } from './judge/failure';
import { refusedForNow, type Outcome } from './outcome';
import type { GatewayRequest } from './request';
import { type Redact, toText } from '../text/text';
import { forOtherN8n } from './credential';
import { entryOf } from './maps';
import { cleanBody, maskTokens, redactor } from './redaction';
import { readWhole } from './wholeAnswer';

export const credentialType = 'messagingGatewayApi';

/** What n8n calls nodes with, unless they are declarative. */
export type Context = Exclude<IAllExecuteFunctions, IExecuteSingleFunctions>;

/** One account at the service. */
export type Client = ReturnType<typeof connectTo>;

/** @throws UserError when the credential has no usable address or key, or is for another n8n */
export async function connect(context: Context): Promise<Client> {
	return connectTo(context, await context.getCredentials(credentialType));
}

/** Statuses of proxies that could not reach the service. As errors, they show their connection. */
const ofProxies = [502, 503, 504];

/** Shorter keys would be found in harmless values: a number, a date. */
const shortestInAnswer = 8;

/**
 * For a credential that was read already.
 *
 * @param hide removes what nobody may see, besides the key and the token, from what is shown
 * @throws UserError when the credential has no usable address or key, or is for another n8n
 */
export function connectTo(
	context: Context,
	credential: ICredentialDataDecryptedObject,
	hide: Redact = maskTokens,
) {
	const other = forOtherN8n(context, credential);
	if (other) throw other;
	const base = parseBaseUrl(credential);
	const redactSecrets = redactor(credential);
	const redact: Redact = (text) => hide(redactSecrets(text));
	const redactLong = redactor(credential, shortestInAnswer);
	const { apiKey, instanceToken } = secretsOf(credential);
	const isTunnelShown = base.protocol === 'https:' && keepsCause(context.getNode());
	// Spares n8n reading and decrypting the credential for each request.
	const names = { id: credentialType, name: credentialType, type: credentialType };
	const credentialsDecrypted: ICredentialsDecrypted = { ...names, data: credential };

	const limiters = new Map<string, Limiter>();

	const optionsFor = (
		{ method, path, query, stream }: GatewayRequest,
		body: IHttpRequestOptions['body'],
		timeoutMs: number,
	): IHttpRequestOptions => ({
		method,
		url: addressBelow(base, path),
		qs: query,
		body,
		headers: stream ? { 'Content-Type': 'application/json', 'Content-Length': stream.length } : {},
		json: true,
		encoding: 'stream', // limits size and time, see `readWhole`; leaves the body unparsed
		timeout: Math.min(timeoutMs, longestTimerMs),
		returnFullResponse: true,
		// On 401, n8n would repeat the request.
		ignoreHttpStatusErrors: isTunnelShown ? { ignore: true, except: ofProxies } : true,
		disableFollowRedirect: true,
	});

	return {
		names: openNames(credential),
		hasInstanceToken: instanceToken !== '',
		/** The part of the base URL that may be shown. */
		origin: base.origin,
		/** Removes the account's secrets from a text. */
		redact,

		/** Decides when requests to a path may start. */
		limiterFor: (path: string): Limiter =>
			entryOf(limiters, path, () => Limiter.of(base.href, apiKey, path)),

		/** How far apart the messages of its chat-app instance leave. */
		pace: () => Pace.of(base.href, instanceToken),

		/** Whether a masked key has the ending of the credential's own. */
		isOwnKey(masked: unknown): boolean {
			// Not /[\w-]{4,}$/, which takes minutes for a long text.
			const end = toText(masked ?? '')
				.split(/[^\w-]/)
				.at(-1)!;
			return end.length >= 4 && apiKey.endsWith(end);
		},

		/** Removes the account's secrets from the answer. */
		shown(outcome: Outcome): Outcome {
			const body = outcome.kind === 'accepted' ? outcome.body : undefined;
			if (body) cleanBody(body, (text) => hide(redactLong(text)));
			return outcome;
		},

		/**
		 * Makes one request, once, within a time limit from connection to end of answer. Never throws.
		 *
		 * @param endsOnStop whether a stopped execution ends it at once; else, once it has left, it goes on
		 */
		async attempt(request: GatewayRequest, timeoutMs: number, endsOnStop = true): Promise<Outcome> {
			let stream;
			try {
				stream = await request.stream?.open();
			} catch (error) {
				return judgeUnreadable(error, redact);
			}
			const options = optionsFor(request, stream ?? request.body, timeoutMs);
			const cancel = cancelSignalOf(context);
			let failure: unknown;
			try {
				if (cancel?.aborted) return refusedForNow({ kind: 'neverLeft', text: 'ERR_CANCELED' });
				const answer = await within(timeoutMs, endsOnStop ? cancel : undefined, async (signal) => {
					const { httpRequestWithAuthentication } = context.helpers;
					const flowing = await httpRequestWithAuthentication
						.call(withSignal(context, signal), credentialType, options, { credentialsDecrypted })
						.catch((error: unknown) => {
							const answered = answerIn(error);
							if (answered) return answered;
							failure = error;
							throw error;
						});
					return await readWhole(flowing as FlowingAnswer, signal);
				});
				if (answer.isOfTunnel) {
					return refusedForNow({
						kind: 'neverLeft',
						text: `HTTP ${answer.statusCode} from a proxy`,
					});
				}
				const said = judgeAnswer(answer, request.expected ?? 'object', redact);
				return request.judge?.(said) ?? said;
			} catch (error) {
				// The service cannot have acted on a body that broke off.
				if (stream?.errored) return judgeUnreadable(stream.errored, redact);
				if (failure === undefined) await sleep(0); // aborted here: its error shows how far it got
				return judgeFailure(error, redact, failure);
			} finally {
				stream?.destroy();
			}
		},
	};
}

/** n8n-workflow up to 2.33 loses an error's cause, and with it the answer. */
function keepsCause(node: INode): boolean {
	const cause = new Error();
	return new NodeApiError(node, cause as unknown as JsonObject).cause === cause;
}

const cancelSignalOf = (context: Context): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** n8n takes the signal that aborts a request from the context, not from the request's options. */
const withSignal = (context: Context, signal: AbortSignal): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
