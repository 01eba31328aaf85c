import { jsonParse } from 'n8n-workflow';

/**
 * The value of a JSON text. Integers beyond 2⁵³, as some services number their records, come as text,
 * since a number would round them.
 *
 * @param otherwise what is given for a text that is not JSON
 */
export function parseExactly(text: string, otherwise: symbol): unknown {
	const value = jsonParse<unknown>(text, { fallbackValue: otherwise });
	return value !== otherwise && mayRound(text)
		? jsonParse<unknown>(withLargeIntegersAsText(text))
		: value;
}

/** Whether a number in a JSON text may have more digits than JavaScript keeps. */
export const mayRound = (text: string): boolean => /\d{16}/.test(text);

/**
 * Of JSON that is valid: outside of strings a digit or a minus begins a number, and what follows of
 * these signs belongs to it; inside, a quotation mark behind no backslash is the end.
 */
function withLargeIntegersAsText(json: string): string {
	let isInString = false;
	return json.replace(/(?:\\[^]){1,999}|"|-?\d[\d.eE+-]*/g, (token) => {
		if (token === '"') isInString = !isInString;
		return !isInString && isLargeInteger(token) ? `"${token}"` : token;
	});
}

const isLargeInteger = (token: string): boolean =>
	/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
