/** Like `String`, but never throws. */
export function toText(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}

/** A text or a number as trimmed text; anything else is empty. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' ? String(value) : '';
}

/** Whether it is a value to enter. What an expression that gives nothing returns is not. */
export const isText = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';
