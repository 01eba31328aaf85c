import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { firstObject, isObject, messageIdOf, type AnswerBody } from './answer';
import { refused, refusedForNow, unknown, type Outcome, type Reason } from './outcome';
import { serviceTexts } from './serviceTexts';

/** An HTTP answer as n8n's request helper hands it over, the body still text. */
export interface HttpAnswer {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/**
 * What the body of a success looks like: an object, the answer to a send (interface §2.5: an
 * object, for SMS in an array, that names the message), a list, or, where the interface shows
 * none, anything including nothing.
 */
export type Expected = 'object' | 'sent' | 'list' | 'notShown';

/** Judges an HTTP answer (interface §2.9, §7; status codes are not shown there). */
export function judgeAnswer(answer: HttpAnswer, expected: Expected = 'object'): Outcome {
	const { body, isJson } = parseBody(answer.body);
	const said = findSaying(body);
	const status = answer.statusCode < 400 ? (said.status ?? answer.statusCode) : answer.statusCode;
	const reason = (kind: Reason['kind'], text = said.text): Reason => ({ kind, status, text });

	if (said.text === serviceTexts.internalError) return unknown(reason('serverFault'));
	if (status === 429) {
		return refusedForNow(reason('tooManyRequests'), parseRetryAfter(answer.headers));
	}
	if (status === 503) return refusedForNow(reason('unavailable'), parseRetryAfter(answer.headers));
	if (said.no && isRefusal(said.text)) return refused(reason('rejected'));
	if (status >= 500) {
		return unknown(reason('serverFault', said.validation ?? said.text ?? excerpt(body)));
	}
	if (status >= 300 && status < 400) {
		return refused({ ...reason('redirect'), location: redirectTarget(answer.headers) });
	}
	if (said.validation) return refused(reason('validation', said.validation));
	if (said.no || status >= 400) return refused(reason('rejected', said.text ?? excerpt(body)));
	if (status < 200) return unknown(reason('unusable'));

	if (body === undefined) {
		return expected === 'notShown' ? { kind: 'accepted', body } : unknown(reason('empty'));
	}
	if (!isJson) return unknown(reason('notJson', excerpt(body)));
	if (expected === 'notShown' && !isAnswerBody(body, expected)) {
		return { kind: 'accepted', body: undefined }; // a bare value says no more than its status
	}
	if (!isAnswerBody(body, expected)) return unknown(reason('unusable', excerpt(body)));
	return { kind: 'accepted', body };
}

function parseBody(raw: unknown): { body: unknown; isJson: boolean } {
	if (typeof raw !== 'string') return { body: raw ?? undefined, isJson: true };
	if (raw.trim() === '') return { body: undefined, isJson: true };
	const notJson = Symbol('not JSON');
	const body = jsonParse<unknown>(raw, { fallbackValue: notJson });
	return body === notJson
		? { body: raw, isJson: false }
		: { body: body ?? undefined, isJson: true };
}

interface Saying {
	/** The answer says no. */
	no: boolean;
	text?: string;
	/** The `detail` array in one readable line. */
	validation?: string;
	/** The audio answer carries a numeric code of its own (interface §2.5); below 400 it says nothing. */
	status?: number;
}

function findSaying(body: unknown): Saying {
	const value: unknown = Array.isArray(body) ? body[0] : body;
	if (!isObject(value)) return { no: false };

	const validation = Array.isArray(value.detail) ? describeDetail(value.detail) : undefined;
	const text = [value.message, value.detail, value.error].find(
		(candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
	);
	const status =
		typeof value.status === 'number' && value.status >= 400 && value.status <= 599
			? value.status
			: undefined;
	return { no: value.success === false || validation !== undefined, text, validation, status };
}

/** Interface §2.9: `loc` (path of the field), `msg`, `type`. */
function describeDetail(detail: unknown[]): string {
	return detail
		.filter(isObject)
		.map(({ loc, msg }) => {
			const path = (Array.isArray(loc) ? loc : []).filter(
				(part) => typeof part === 'number' || (typeof part === 'string' && part !== 'body'),
			);
			const text = typeof msg === 'string' ? msg : JSON.stringify(msg ?? 'not accepted');
			return path.length > 0 ? `${path.join('.')}: ${text}` : text;
		})
		.join('; ');
}

/** Texts that are a definite no, whatever the HTTP status. */
function isRefusal(text: string | undefined): boolean {
	return text !== undefined && Object.values<string>(serviceTexts).includes(text);
}

function isAnswerBody(body: unknown, expected: Expected): body is AnswerBody {
	if (!isObject(body) && !(Array.isArray(body) && body.every(isObject))) return false;
	if (expected === 'list') return Array.isArray(body);
	if (expected === 'notShown') return true;
	if (Array.isArray(body) && body.length === 0) return false;
	return expected === 'object' || saysYes(firstObject(body));
}

/** A send is accepted when the answer says so or names the message; a bare 200 is no such answer. */
function saysYes(answer: IDataObject): boolean {
	return answer.success === true || messageIdOf(answer) !== undefined;
}

function excerpt(body: unknown): string | undefined {
	if (body === undefined) return undefined;
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const line = text
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return line.slice(0, 2000) || undefined;
}

function redirectTarget({ location }: IDataObject): string | undefined {
	if (typeof location !== 'string') return undefined;
	if (!URL.canParse(location)) return location.replace(/[?#].*/, '') || undefined; // relative
	const { origin, pathname } = new URL(location);
	return origin + pathname;
}

/** `Retry-After` in milliseconds, given in seconds or as a date. */
export function parseRetryAfter(headers: IDataObject, now = Date.now()): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const ms = /^\s*\d+(\.\d+)?\s*$/.test(String(value))
		? Number(value) * 1000
		: Date.parse(String(value)) - now;
	return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
