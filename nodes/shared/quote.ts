/** Takes what must not be seen out of a text. */
export type Redact = (text: string) => string;

const longestQuote = 200;

/** More than any page's head takes up, and little enough to be read at once. */
const longestPage = 20_000;

/** A text of the service or of n8n as it may be shown. Cut only after secrets are out: a part of one
 * would not be found. */
export function quote(text: string, redact: Redact): string {
	const clean = redact(text);
	return clean.length > longestQuote ? `${clean.slice(0, longestQuote)}…` : clean;
}

/** What a page, or JSON of another kind, says: without markup, in one line. */
export function excerpt(body: unknown, redact: Redact): string | undefined {
	if (body === undefined) return undefined;
	const text = redact(typeof body === 'string' ? body : JSON.stringify(body));
	const line = text
		.slice(0, longestPage)
		.replace(/<[^<>]*(>|$)/g, ' ') // never over a second '<', so that it stays linear
		.replace(/\s+/g, ' ')
		.trim();
	return line || undefined;
}
