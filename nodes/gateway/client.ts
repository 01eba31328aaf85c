import { sleep } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';

import type { AnswerBody } from './answerBody';
import { addressBelow, parseBaseUrl, redactor } from './authenticate';
import { longestTimerMs, within } from './pacing/deadline';
import { openNames, type OpenNames } from './account';
import { judgeAnswer } from './judge/answer';
import { judgeFailure, judgeUnreadable } from './judge/failure';
import type { Expected } from './judge/answer';
import { refusedForNow, type Outcome } from './outcome';
import type { Redact } from '../text/quote';
import { asShown } from './shownAnswer';
import { maskTokens } from './triggerToken';
import { readWhole, type FlowingAnswer } from './wholeAnswer';

export const credentialType = 'messagingGatewayApi';

/** Whatever n8n calls the nodes with. */
export type Context =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** A body that flows: opened anew for each attempt, closed after it. */
export interface StreamBody {
	/** Bytes, announced as `content-length`. */
	length: number;
	/** `errored` is set once it has broken by itself, before it was read to its end. */
	open(): Promise<object & { destroy(): unknown; errored?: Error | null }>;
}

/** An answer that a request's body is made of: read anew for each attempt, and shown to nobody. */
export interface Basis {
	request: Pick<GatewayRequest, 'method' | 'path' | 'judge'>;
	body(answer: AnswerBody | undefined): IDataObject;
}

/** One request to the service, in terms of interface §4. */
export interface GatewayRequest {
	method: IHttpRequestMethods;
	/** Below the base URL, e.g. `/v1/sms/enviar`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	stream?: StreamBody;
	/** What the body is made of has to be read first. */
	basis?: Basis;
	/** Default: `object`. */
	expected?: Expected;
	/** What an answer means to this request, where that is more than it says by itself. */
	judge?(outcome: Outcome): Outcome;
}

/** One account at the service: its open names, and a way to make requests. */
export interface Client {
	names: OpenNames;
	hasInstanceToken: boolean;
	/** The part of the base URL that may be shown to a person. */
	origin: string;
	/**
	 * Makes one request once, after the one that it is based on. Says what became of it; never throws.
	 *
	 * @param timeoutMs for the whole of each request, from the connection to the end of the answer
	 */
	attempt(request: GatewayRequest, timeoutMs: number): Promise<Outcome>;
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

/**
 * Makes a client of a credential that was read already. Answers come without the key, the token and
 * the secrets of triggers, since they are shown.
 *
 * @throws UserError when the credential's base URL is not an address
 */
export const connectTo = (context: Context, credential: ICredentialDataDecryptedObject): Client =>
	connectWith(context, credential, { hide: maskTokens, isShown: true });

interface Sight {
	/** Takes out of what is shown what nobody is to see, besides the key and the token. */
	hide?: Redact;
	/** Whether a success is shown, as its texts are in any case. */
	isShown?: boolean;
}

/** A shorter key stands in too much that holds none: a number, a date. */
const shortestInAnswer = 8;

/** The same with a credential that was read already. */
export function connectWith(
	context: Context,
	credential: ICredentialDataDecryptedObject,
	{ hide = (text) => text, isShown = false }: Sight = {},
): Client {
	const base = parseBaseUrl(credential);
	const redactSecrets = redactor(credential);
	const redact: Redact = (text) => hide(redactSecrets(text));
	const redactLong = redactor(credential, shortestInAnswer);
	const clean: Redact = (text) => hide(redactLong(text));
	// Handed to n8n with each request, so that it does not read and decrypt the credential again.
	const credentialsDecrypted: ICredentialsDecrypted = {
		id: credentialType,
		name: credentialType,
		type: credentialType,
		data: credential,
	};

	return {
		names: openNames(credential),
		hasInstanceToken: String(credential.instanceToken ?? '').trim() !== '',
		origin: base.origin,
		redact,

		async attempt({ basis, ...request }, timeoutMs) {
			if (basis) {
				const plain = connectWith(context, credential, { hide }); // it goes back as it came
				const read = await plain.attempt(basis.request, timeoutMs);
				if (read.kind !== 'accepted') return read;
				request.body = basis.body(read.body);
			}
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
				const outcome = request.judge?.(said) ?? said;
				if (isShown && outcome.kind === 'accepted' && outcome.body) asShown(outcome.body, clean);
				return outcome;
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
