import type { IDataObject } from 'n8n-workflow';

import type { Redact } from '../text/quote';
import { isObject } from '../text/values';

/** A usable answer: JSON, or a text that is none where the interface shows no body. */
export type AnswerBody = IDataObject | IDataObject[] | string | number | true;

/** Returns the answer's object; the SMS answer wraps it in an array (interface §2.5). */
export const firstObject = (body: AnswerBody | undefined): IDataObject => {
	const first = Array.isArray(body) ? body[0] : body;
	return isObject(first) ? first : {};
};

/** Interface §2.5: `messageId`, or `message_id` in the audio answer. */
export const messageIdNames = ['messageId', 'message_id'];

/** Adds the service's answer, whose body the interface does not show, if there is one. */
export const withAnswer = (output: IDataObject, answer: AnswerBody | undefined): IDataObject =>
	answer === undefined ? output : { ...output, answer };

/** Cleans an answer, names and values in place, except message IDs: messages are found by them. */
export function cleanBody(body: AnswerBody, clean: Redact): AnswerBody {
	if (typeof body !== 'object') return shownValue(body, clean);
	if (isClean(body, clean)) return body;
	const pending: unknown[] = [body]; // no recursion: it may be very deep
	while (pending.length > 0) {
		const parent = pending.pop() as IDataObject;
		for (const [name, value] of Object.entries(parent)) {
			if (typeof value === 'object' && value !== null) pending.push(value);
			const shownName = clean(name);
			if (shownName !== name) delete parent[name];
			parent[shownName] = messageIdNames.includes(name) ? value : shownValue(value, clean);
		}
	}
	return Array.isArray(body) ? [...body] : { ...body }; // what was read of the first one is not clean
}

function isClean(body: AnswerBody, clean: Redact): boolean {
	try {
		const text = JSON.stringify(body).replace(/\\(.)/g, '$1'); // its texts as they are
		return clean(text) === text;
	} catch {
		return false; // too deep
	}
}

/** Cleans a value. A number becomes text if it contains a key that consists of digits. */
function shownValue<T>(value: T, clean: Redact): T | string {
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const shown = clean(String(value));
	return shown === String(value) ? value : shown;
}

export interface Explanation {
	message: string;
	/** Says what is known and what to do, in sentences that hold even if it was carried out. */
	hint?: string;
	/** Says what else to do; never shown for a request that may have been carried out. */
	again?: string;
}

/** Why a request was not accepted. Contains no secrets. */
export interface Reason {
	kind:
		| 'rejected' // the service said no
		| 'validation' // a `detail` array, interface §2.9
		| 'redirect'
		| 'tooManyRequests'
		| 'unavailable'
		| 'unreadable' // the file to be sent, or a part of it
		| 'blocked' // by n8n or the credential
		| 'neverLeft' // no connection, unknown host, bad certificate
		| 'noAnswer' // time-out, reset
		| 'serverFault' // 5xx, 408, 499, `Erro interno do servidor.`
		| 'tooLarge'
		| 'ambiguous' // yes and no at once
		| 'unusable'; // nothing, a page, or JSON of an undocumented shape
	status?: number;
	/** The service's own text, shortened, or a network code if there was no answer. */
	text?: string;
	/** The contents of a page or of unknown JSON, if there is no such text. It may be a proxy's. */
	page?: string;
	/** The service's own text as it came, or the entries of `detail` (interface §2.9). */
	answer?: string | IDataObject[];
	/** Whether the body is no JSON, as that of a page, which a proxy may have written. */
	isPage?: boolean;
	/** The target of a redirect: origin and path. */
	location?: string;
	/** Replaces the usual explanation for this kind. */
	explanation?: Explanation;
}

/**
 * The outcome of a request:
 *
 * - accepted: the service said yes.
 * - refused: it said no, or the request was never sent. `forNow`: it may be accepted later. `own`: too
 *   many for its recipient, as far as is known, not for the account.
 * - unknown: sent, but without a usable answer, so it may have been carried out.
 */
export type Outcome =
	| { kind: 'accepted'; body: AnswerBody | undefined }
	| { kind: 'refused'; forNow: boolean; retryAfterMs?: number; reason: Reason; own?: true }
	| { kind: 'unknown'; reason: Reason };

export type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>;

export type Refused = Extract<Outcome, { kind: 'refused' }>;

export const refused = (reason: Reason): Outcome => ({ kind: 'refused', forNow: false, reason });

export const explained = (kind: Reason['kind'], explanation: Explanation): Reason => ({
	kind,
	explanation,
});

/** Refuses an answer that says yes, but not what was asked. @param why undefined: it does */
export const refuseIf =
	(why: (body: AnswerBody | undefined) => Reason | undefined) =>
	(outcome: Outcome): Outcome => {
		const reason = outcome.kind === 'accepted' ? why(outcome.body) : undefined;
		return reason ? refused(reason) : outcome;
	};

export const refusedForNow = (reason: Reason, retryAfterMs?: number): Outcome => ({
	kind: 'refused',
	forNow: true,
	retryAfterMs,
	reason,
});

export const unknown = (reason: Reason): Outcome => ({ kind: 'unknown', reason });

/** The service's operational messages, exact strings of interface §7. */
export const serviceTexts = {
	invalidToken: 'Token inválido.',
	campaignNotFound: 'Campanha não encontrada.',
	deletionNotPermitted: 'Exclusão não permitida.',
	instanceDisconnected: 'Instância desconectada.',
	internalError: 'Erro interno do servidor.',
} as const;

export const isServiceText = (text: string | undefined): boolean =>
	Object.values<string | undefined>(serviceTexts).includes(text);

/** Why a request was not accepted, as precisely as a person can act on it. */
export type Situation =
	Reason['kind'] | keyof typeof serviceTexts | 'notAuthorized' | 'notFound' | 'proxyLogin';

/** The texts of interface §7 say more than the HTTP status. */
export function situationOf({ kind, reason }: NotAccepted): Situation {
	const known = Object.entries(serviceTexts).find(([, text]) => text === reason.text)?.[0];
	if (known && kind === 'refused') return known as Situation;
	if (reason.kind !== 'rejected') return reason.kind;
	if (reason.status === 404) return 'notFound';
	if (reason.status === 407) return 'proxyLogin';
	return isNotAuthorized(reason) ? 'notAuthorized' : 'rejected';
}

/** Whether the service refused a request because there are too many. */
export const isRateLimited = (outcome: Outcome): outcome is Refused =>
	outcome.kind === 'refused' && ['tooManyRequests', 'unavailable'].includes(outcome.reason.kind);

/** Whether a key or token was certainly rejected: a 403 may be about what it is used for. */
export const isKeyRejected = ({ status, text }: Reason): boolean =>
	status === 401 || text === serviceTexts.invalidToken;

/** Whether a key or token was rejected, or may not do this. A page with 403 is a proxy's. */
export const isNotAuthorized = (reason: Reason): boolean =>
	isKeyRejected(reason) || (reason.status === 403 && !reason.isPage);

/** The longest pause, in ms, that a run waits for. */
export const longestPauseMs = 60_000;
