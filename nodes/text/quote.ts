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

export const asLine = (text: string, longest = 200): string =>
	cut(inOneLine(text.slice(0, longestPage)), longest);

/** Returns a text as it is, of at most 5,000 characters, cut after redaction. */
export const unchanged = (text: string, redact: Redact): string =>
	cut(redact(text.slice(0, longestRedacted)), 5_000);

const cut = (text: string, longest: number): string =>
	text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text; // no half emoji

/** Returns a text without breaks and control characters, also those that change the writing direction. */
const inOneLine = (text: string): string =>
	text.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
