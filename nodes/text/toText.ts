/** `String`, which throws where an object has no text of its own: that is one like any other. */
export function toText(value: unknown): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}
