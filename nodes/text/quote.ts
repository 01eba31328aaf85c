/** Takes what must not be seen out of a text. */
export type Redact = (text: string) => string;

const longestQuote = 200;

/** More than any page's head takes up, and little enough to be read at once. */
const longestPage = 20_000;

/**
 * A text of the service or of n8n as it may be shown: one line of at most 200 characters. Cut only
 * after secrets are out: a part of one would not be found.
 */
export const quote = (text: string, redact: Redact): string => asLine(redact(text));

/**
 * A value that was entered as an error may show it, e.g. `https://example.com/a.jpg?…`. An address
 * comes without its query, which may hold a signature, also where its scheme is missing, and without
 * a password.
 */
export const quoteValue = (text: string, redact: Redact): string =>
	quote(text, (value) =>
		redact(value)
			.replace(/^([^?#/]*\/[^?#]*[?#])[^]+/, '$1…')
			.replace(/^([a-z][a-z\d+.-]*:)?(\/\/)[^/?#]*@/i, '$1$2…@'),
	);

/** What a page, or JSON of another kind, says: without markup, in one line. */
export function excerpt(body: unknown, redact: Redact): string | undefined {
	if (body === undefined) return undefined;
	const text = redact(typeof body === 'string' ? body : JSON.stringify(body));
	const line = inOneLine(
		text.slice(0, longestPage).replace(/<[^<>]*(>|$)/g, ' '), // never over a second '<', so that it stays linear
	);
	return line || undefined;
}

/** Any text in one line, cut short. */
export function asLine(text: string, longest = longestQuote): string {
	const line = inOneLine(text.slice(0, longestPage));
	return line.length > longest ? `${line.slice(0, longest).replace(halfCharacter, '')}…` : line;
}

/** Of what a cut leaves at its end. */
const halfCharacter = /[\ud800-\udbff]$/;

/** Without breaks and control characters, among them those that turn the direction of writing. */
const inOneLine = (text: string): string =>
	text.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
