/** Like `String`, but never throws. */
export function toText(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}

/** A text or a number as trimmed text; anything else is empty. */
export const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';
