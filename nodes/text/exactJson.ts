import { jsonParse } from 'n8n-workflow';

/**
 * Parses JSON, with integers beyond 2⁵³, which some services use as IDs, as text: a number would
 * round them. Undefined for a text that is not JSON.
 */
export function parseExactly(text: string): unknown {
	const value = jsonParse<unknown>(text, { fallbackValue: notJson });
	if (value === notJson) return undefined;
	return mayRound(text) ? jsonParse<unknown>(withLargeIntegersAsText(text)) : value;
}

const notJson = Symbol('not JSON');

/** Whether JSON may contain a number that JavaScript would round. */
export const mayRound = (text: string): boolean => /\d{16}/.test(text);

/** For valid JSON only. */
function withLargeIntegersAsText(json: string): string {
	let isInString = false;
	return json.replace(/(?:\\[^]){1,999}|"|-?\d[\d.eE+-]*/g, (token) => {
		if (token === '"') isInString = !isInString;
		return !isInString && isLargeInteger(token) ? `"${token}"` : token;
	});
}

const isLargeInteger = (token: string): boolean =>
	/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
