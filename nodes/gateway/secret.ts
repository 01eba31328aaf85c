import { textOf } from '../text/toText';

/** What a key was copied with: its header, quotation marks, invisible characters. */
const around =
	/^(?:[\s\p{Cf}"'`“”‘’]|(?:x-api-key|x-instance-token|authorization)["']?\s*[:=]|bearer(?:\s|$))+|[\s\p{Cf}"'`“”‘’,;]+$/giu;

/**
 * A key or token as entered in the credential, without what is around it. Empty where an expression
 * gives nothing.
 */
export function secretOf(entered: unknown): string {
	const secret = textOf(entered).replace(around, '');
	return /^(undefined|null|\[object Object\])$/.test(secret) ? '' : secret;
}
