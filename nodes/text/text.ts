import { jsonParse } from 'n8n-workflow';

export type Redact = (text: string) => string;

/** The longest part of a page, in characters, that is read: more than any head. */
const longestPage = 20_000;

/** The longest part of a text, in characters, that is redacted: far more than is shown of it. */
const longestRedacted = 100_000;

/** Returns one line of at most 200 characters, cut after redaction, which would miss half a secret. */
export const quote = (text: string, redact: Redact): string =>
	asLine(redact(text.slice(0, longestRedacted)));

/**
 * Quotes a value that was entered: an address, even without a scheme, without its password and its
 * query, which may contain a signature (`https://example.com/a.jpg?…`).
 */
export const quoteValue = (text: string, redact: Redact): string =>
	quote(text, (value) =>
		redact(value)
			.replace(/^([^?#/]*\/[^?#]*[?#])[^]+/, '$1…')
			.replace(/^([a-z][a-z\d+.-]*:)?(\/\/)[^/?#]*@/i, '$1$2…@'),
	);

/** Returns the text of a page or of JSON, without markup, in one line. */
export function excerpt(body: unknown, redact: Redact): string | undefined {
	if (body === undefined) return undefined;
	const page = typeof body === 'string' ? body : JSON.stringify(body);
	const text = redact(page.slice(0, longestRedacted));
	const line = inOneLine(
		text.slice(0, longestPage).replace(/<[^<>]*(>|$)/g, ' '), // no second '<', to keep it linear
	);
	return line || undefined;
}

export function asLine(text: string, longest = 200): string {
	return cut(inOneLine(text.slice(0, longestPage)), longest);
}

/** Returns a text as it is, of at most 5,000 characters, cut after redaction. */
export const unchanged = (text: string, redact: Redact): string =>
	cut(redact(text.slice(0, longestRedacted)), 5_000);

const cut = (text: string, longest: number): string =>
	text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text; // no half emoji

/** Returns a text without breaks and control characters, also those that change the writing direction. */
const inOneLine = (text: string): string =>
	text.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** Adds a full stop if there is none, not even within quotation marks: `"Sem saldo."` */
export const asSentence = (text: string): string =>
	/[.!?…]["')]*$/.test(text) ? text : `${text}.`;

/** Matches what a sentence may contain without ending: quotations, values and expressions. */
const quotations = /"[^"]*"|(?<!\w)'[^']*'(?!\w)|\{\{[^{}]*\}\}/g;

/** Matches the end of a sentence and the space behind it. Another begins with n8n or no small letter. */
const sentenceEnd = /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?]["')]*\s+(?=n8n|[^\p{Ll}\s])/gu;

/** Returns the sentences of a text, each without the space behind it. */
export function sentencesOf(text: string): string[] {
	const masked = text.replace(
		quotations,
		(found) => found.slice(0, -2).replace(/[.!?]/g, '_') + found.slice(-2),
	);
	const ends = Array.from(masked.matchAll(sentenceEnd), ({ 0: end, index }) => index + end.length);
	return [0, ...ends].map((start, at) => text.slice(start, ends[at]).trim()).filter(Boolean);
}

/** Returns the first three sentences of what may be said about an error, each of them once. */
export const firstThreeSentences = (...texts: Array<string | false | null | undefined>): string =>
	[...new Set(texts.flatMap((text) => (text ? sentencesOf(text) : [])))].slice(0, 3).join(' ');

/** Returns an error's message and description as one text. */
export const withHint = (error: { message: string; description?: string | null }): string =>
	[asSentence(error.message), error.description].filter(Boolean).join(' ');

/** Returns a value as `String` does, but never throws. */
export function toText(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}

/** Returns a text or a number as trimmed text; anything else is empty. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' ? String(value) : '';
}

/** Returns a text without characters that have nothing to see; U+2800 is a braille pattern without dots. */
export const visibleIn = (text: string): string =>
	text.replace(/[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]+/gu, '');

/**
 * Parses JSON, with integers beyond 2⁵³, which some services use as IDs, as text: a number would
 * round them. Undefined for a text that is not JSON.
 */
export function parseExactly(text: string): unknown {
	const value = jsonParse<unknown>(text, { fallbackValue: notJson });
	if (value === notJson) return undefined;
	const mayRound = /\d{16}/.test(text); // as JavaScript does with such a number
	return mayRound ? jsonParse<unknown>(withLargeIntegersAsText(text)) : value;
}

const notJson = Symbol('not JSON');

/** Returns valid JSON with its large integers as text. */
function withLargeIntegersAsText(json: string): string {
	let isInString = false;
	return json.replace(/(?:\\[^]){1,999}|"|-?\d[\d.eE+-]*/g, (token) => {
		if (token === '"') isInString = !isInString;
		const isLarge = /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
		return isLarge && !isInString ? `"${token}"` : token;
	});
}
