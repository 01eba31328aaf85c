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
