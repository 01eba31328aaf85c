/** Like `String`, but never throws. */
export function toText(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}

/** A text or a number as trimmed text; anything else is empty. */
export const textOf = (value: unknown): string => (isText(value) ? `${value}`.trim() : '');

/** Whether it is a value to enter. What an expression that gives nothing returns is not. */
export const isText = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';
