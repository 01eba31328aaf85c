import { jsonParse, type IDataObject } from 'n8n-workflow';

export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the objects in a list; anything else is ignored. */
export const objectList = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

/** Parses JSON, with integers beyond 2⁵³ as text: a number would round an ID. Undefined for what is not JSON. */
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
