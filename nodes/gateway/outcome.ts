import type { AnswerBody } from './answerBody';

/** What is said of a request that was not accepted; all but the message in sentences. */
export interface Explanation {
	/** What happened. */
	message: string;
	/** What else is known. */
	facts?: string;
	/** How to put it right. */
	advice?: string;
	/** What to do when it is put right: never said of what may have been carried out. */
	again?: string;
}

/** Why a request was not accepted, in the terms that an explanation needs. Holds no secret. */
export interface Reason {
	kind:
		| 'rejected' // the service said no
		| 'validation' // a `detail` array, interface §2.9
		| 'redirect'
		| 'tooManyRequests'
		| 'unavailable'
		| 'unreadable' // the file to be sent, or a part of it
		| 'blocked' // n8n or the credential did not let it out
		| 'neverLeft' // no connection, unknown host, bad certificate
		| 'noAnswer' // time-out, reset
		| 'serverFault' // 5xx, 408, 499, `Erro interno do servidor.`
		| 'tooLarge'
		| 'notJson'
		| 'empty'
		| 'contradictory' // an answer that says yes and no at once
		| 'unusable'; // JSON, but not of the documented kind
	/** HTTP status; absent when no answer came. */
	status?: number;
	/** The service's own text, cut short, or the network's code when no answer came. */
	text?: string;
	/** What a page says, or JSON of another kind, where there is no such text. It may be a proxy's. */
	page?: string;
	/** Where a redirect points: origin and path, or the path alone when it is relative. */
	location?: string;
	/** What the request itself has to say of it, in place of what is said of its kind. */
	explanation?: Explanation;
}

/**
 * What became of a request.
 *
 * - accepted: the service said yes.
 * - refused: it said no, or the request never left. `forNow`: the same request may pass later.
 * - unknown: it left and no usable answer came, so it may have been carried out.
 */
export type Outcome =
	| { kind: 'accepted'; body: AnswerBody | undefined }
	| { kind: 'refused'; forNow: boolean; retryAfterMs?: number; reason: Reason }
	| { kind: 'unknown'; reason: Reason };

/** What an error is made of. */
export type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>;

export const refused = (reason: Reason): Outcome => ({ kind: 'refused', forNow: false, reason });

export const refusedForNow = (reason: Reason, retryAfterMs?: number): Outcome => ({
	kind: 'refused',
	forNow: true,
	retryAfterMs,
	reason,
});

export const unknown = (reason: Reason): Outcome => ({ kind: 'unknown', reason });
