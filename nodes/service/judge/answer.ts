import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { quote, excerpt, asLine, unchanged, type Redact } from '../../text/quote';
import { parseExactly, isObject, textOf, toText } from '../../text/values';
import { messageIdOf } from '../endpoints/messages';
import {
	cleanBody,
	unknown,
	isServiceText,
	serviceTexts,
	refusedForNow,
	refused,
	type Reason,
	type Outcome,
	type AnswerBody,
} from '../outcome';
import type { Expected } from '../request';

/** An answer whose body n8n's request helper still streams, decompressed. */
export interface FlowingAnswer {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** An HTTP answer, the body still text. */
export interface HttpAnswer extends FlowingAnswer {
	unread?: Reason;
}

/** Statuses of proxies that stopped waiting: the request may have been carried out. */
const uncertainStatuses = [408, 499];

const redirectStatuses = [301, 302, 303, 307, 308];

export function judgeAnswer(answer: HttpAnswer, expected: Expected, redact: Redact): Outcome {
	if (answer.unread) return unknown(answer.unread);
	const body = parseBody(answer.body);
	const parsed = parseAnswer(body);
	const validation = parsed.detail?.map(describeDetail).join('; ');
	const status = answer.statusCode < 400 ? (parsed.status ?? answer.statusCode) : answer.statusCode;
	const shown = (text: string | undefined) =>
		text === undefined ? undefined : quote(text, redact);
	const reason = (kind: Reason['kind'], text = parsed.text): Reason => ({
		kind,
		status,
		text: shown(text),
		page: text === undefined ? shown(excerpt(body, redact)) : undefined,
		answer: ownWords(parsed, redact),
		isPage: typeof body === 'string',
	});
	const retryAfterMs = parseRetryAfter(answer.headers);
	/** The service's own error body (interface §2.9), which no proxy writes. */
	const isOwnNo = parsed.no && (parsed.text ?? validation) !== undefined;
	/** A definite no at any HTTP status. */
	const isRefusal = isServiceText(parsed.text);

	if (parsed.text === serviceTexts.internalError) return unknown(reason('serverFault'));
	// A query may be answered so because there is nothing to list.
	const isNo = parsed.no || (expected === 'sent' && (isRefusal || parsed.failure !== undefined));
	if (parsed.yes && (isNo || status >= 300))
		return unknown(reason('ambiguous', parsed.failure || parsed.text));
	if (status === 429) {
		const pauseMs = retryAfterMs ?? parseReset(answer.headers);
		return refusedForNow(reason('tooManyRequests'), pauseMs);
	}
	if (status === 503) {
		// Proxies such as Envoy also answer 503 when a forwarded request was cut off.
		return retryAfterMs !== undefined || isOwnNo
			? refusedForNow(reason('unavailable'), retryAfterMs)
			: unknown(reason('unavailable'));
	}
	if (parsed.no && isRefusal) return refused(reason('rejected'));
	if (status >= 500 || uncertainStatuses.includes(status)) {
		return unknown(reason('serverFault', validation ?? parsed.text));
	}
	if (redirectStatuses.includes(status)) {
		const location = redirectTarget(answer.headers, redact);
		const isDone = status === 303; // the answer is elsewhere
		return (isDone ? unknown : refused)({ ...reason('redirect'), location });
	}
	if (validation !== undefined) return refused(reason('validation', validation));
	if (parsed.no || status >= 400) return refused(reason('rejected'));
	if (status < 200 || status >= 300) return unknown(reason('unusable'));

	if (body === undefined && expected === 'notShown') return { kind: 'accepted', body };
	if (isAnswerBody(body, expected, parsed.isConfirmed)) return { kind: 'accepted', body };
	return unknown(reason('unusable'));
}

/** Returns what the JSON of a body contains, or a text that is none. Undefined for nothing. */
function parseBody(raw: unknown): unknown {
	const body = typeof raw === 'string' ? (parseExactly(raw) ?? raw.trim()) : raw;
	return body === '' || body === 'null' ? undefined : (body ?? undefined);
}

function isAnswerBody(body: unknown, expected: Expected, isConfirmed: boolean): body is AnswerBody {
	if (expected === 'notShown')
		return typeof body === 'string' ? isPlainText(body) : body !== undefined && body !== false;
	const answers = [body].flat();
	if (!answers.every(isObject)) return false;
	if (expected === 'list') return Array.isArray(body);
	return answers.length > 0 && (expected === 'object' || isConfirmed);
}

/** Whether a text such as `OK` is an answer: no page, no JSON that was cut short, no refusal. */
const isPlainText = (text: string): boolean =>
	!/^[[{]|<[a-z!/?]/i.test(text) && !isServiceText(text);

/** Returns a whole address without its query, which may contain what was sent. */
function redirectTarget({ location }: IDataObject, redact: Redact): string | undefined {
	if (typeof location !== 'string') return undefined;
	const clean = redact(location);
	if (!URL.canParse(clean)) return undefined;
	const { origin, pathname } = new URL(clean);
	return asLine(origin + pathname);
}

/** Returns `Retry-After` in milliseconds, given in seconds or as a date, by the clock of whoever answered. */
export function parseRetryAfter(headers: IDataObject, now = Date.now()): number | undefined {
	const value = textOf(headers['retry-after']);
	if (value === '') return undefined;
	const isSeconds = /^\d+(\.\d+)?$/.test(value);
	const ms = isSeconds ? Number(value) * 1000 : timeIn(value) - (timeIn(headers.date) || now);
	return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/**
 * Returns the time, in ms, until the reset of a limit that is used up. Services give it in seconds, or as a time
 * in seconds or milliseconds since 1970.
 */
function parseReset(headers: IDataObject): number | undefined {
	const prefix = ['ratelimit-', 'x-ratelimit-'].find((each) => `${each}reset` in headers);
	const value = textOf(headers[`${prefix}reset`]);
	const isUsedUp = !(Number(textOf(headers[`${prefix}remaining`])) > 0);
	if (!isUsedUp || !/^\d{1,13}(\.\d+)?$/.test(value)) return undefined;
	const time = Number(value);
	if (time < longestResetSeconds) return time * 1000;
	const isSeconds = time < longestResetSeconds * 1000;
	return Math.max(0, time * (isSeconds ? 1000 : 1) - (timeIn(headers.date) || Date.now()));
}

/** A larger number is not a time in seconds from now on: it was reached, since 1970, in 2001. */
const longestResetSeconds = 1e9;

/** Returns a date in ms since 1970, or NaN. `Date.parse` would take 'about 7' for one. */
const timeIn = (value: unknown): number => DateTime.fromHTTP(toText(value)).toMillis();

/** The meaning of an answer by its documented fields alone (interface §2.5, §2.9). */
interface ParsedAnswer {
	/** It says that a send is accepted, at least in part, or has a message ID; a bare 200 is not enough. */
	yes: boolean;
	/** The request was refused, at least in part. */
	no: boolean;
	/** Its status or error that says of a send that it failed. With a yes beside it, nobody knows. */
	failure?: string;
	text?: string;
	detail?: unknown[];
	/** The audio answer's own code, a number or its text; below 400 it is no HTTP status. */
	status?: number;
}

/** Considers every object of an answer, as the SMS answer is a list. `isConfirmed`: each of them says yes. */
function parseAnswer(body: unknown): ParsedAnswer & { isConfirmed: boolean } {
	const parsed = [body].flat().filter(isObject).map(readObject);
	const refusals = parsed.filter(({ no }) => no);
	const texts = [...refusals, ...parsed].flatMap(({ text }) => text ?? []);
	return {
		yes: parsed.some(({ yes }) => yes),
		isConfirmed: parsed.every(({ yes }) => yes),
		no: refusals.length > 0,
		failure: parsed.find(({ failure }) => failure !== undefined)?.failure,
		text:
			texts.find((text) => text === serviceTexts.internalError) ??
			texts.find(isServiceText) ??
			texts[0],
		detail: parsed.find(({ detail }) => detail !== undefined)?.detail,
		status: parsed.find(({ status }) => status !== undefined)?.status,
	};
}

function readObject(answer: IDataObject): ParsedAnswer {
	const { message, error, errors, statusmessage } = answer;
	const success = readFlag(answer.success);
	const code = Number(textOf(answer.status));
	/** The audio answer has a code in place of `success`. */
	const isYes = success ?? (statusmessage !== undefined && code >= 100 && code < 400);
	const isError = !isYes && (isFilled(error) || isFilled(errors) || readFlag(answer.ok) === false);
	const detail =
		Array.isArray(answer.detail) && answer.detail.length > 0 ? answer.detail : undefined;
	return {
		yes: isYes || messageIdOf(answer) !== undefined,
		no: success === false || detail !== undefined,
		failure:
			[answer.status, statusmessage].map(textOf).find((each) => failureWord.test(each)) ??
			(isError ? textOf(error) : undefined),
		text: [message, answer.detail, error].find(
			(candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
		),
		detail,
		status: code >= 400 && code <= 599 ? code : undefined,
	};
}

function describeDetail(entry: unknown): string {
	const { loc, msg } = isObject(entry) ? entry : { loc: undefined, msg: entry };
	const path = [loc]
		.flat()
		.map(textOf)
		.filter((part) => part !== '' && part !== 'body');
	const text = typeof msg === 'string' ? msg : JSON.stringify(msg ?? 'not accepted');
	return path.length > 0 ? `${path.join('.')}: ${text}` : text;
}

/** The most entries of `detail`, and parts of a path, that are passed on. */
const mostEntries = 100;

/** Returns what the service says as it came, for workflows: its text, or the entries of `detail` (§2.9). */
function ownWords({ detail, text }: ParsedAnswer, redact: Redact): Reason['answer'] {
	const shown = (each: string) => unchanged(each, redact);
	if (!detail) return text === undefined ? undefined : shown(text);
	return detail.slice(0, mostEntries).map((entry) => {
		const { loc, msg, type } = isObject(entry) ? entry : ({ msg: entry } as IDataObject);
		const path = Array.isArray(loc) ? loc.slice(0, mostEntries) : undefined;
		return cleanBody({ loc: path, msg, type }, shown) as IDataObject;
	});
}

/** Returns a boolean, which some services write as a text or a number. */
function readFlag(value: unknown): boolean | undefined {
	if (typeof value === 'object') return undefined; // `String` may throw
	const word = String(value).trim().toLowerCase();
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : undefined;
}

/** Whether an `error` is one: nothing, 0 and an empty list are none. */
const isFilled = (value: unknown): boolean =>
	typeof value === 'object'
		? Object.keys(value ?? {}).length > 0
		: value === true || !['', '0'].includes(textOf(value));

/** Matches a code like HTTP's, or a word of failure without a `no` before it: `REJECTED_NO_CREDIT`. */
const failureWord =
	/^[45]\d\d$|(?<=^|[\s_-])(?<!(?:^|[\s_-])(?:no|sem|without)[\s_-])(?:fail(?:ed|ure)?|falh(?:a|ou)|erro|error|reject(?:ed)?|rejeitad[a-z]*|refused|recusad[a-z]*|denied|negad[a-z]*|undeliver(?:ed|able)|inv[aá]lid[a-z]*|blocked|bloquead[a-z]*|cancell?ed|cancelad[a-z]*|expired|expirad[a-z]*|unsent|insufficient|insuficiente|not[\s_-]sent|n[aã]o[\s_-]enviad[a-z]*)(?=$|[\s_:;,.!-])/i;
