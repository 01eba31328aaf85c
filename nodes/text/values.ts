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
