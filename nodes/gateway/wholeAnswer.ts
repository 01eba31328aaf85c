import type { FlowingAnswer, HttpAnswer } from './judge/answer';
import { codeOf } from './judge/failure';
import { firstBytes } from './streams';

/** Of an answer, in bytes, decompressed: more than a list of 100,000 messages. */
const longestAnswer = 16 * 1024 * 1024;

/**
 * Reads an answer as text. Closes its connection if it is too large or breaks off, and when the
 * signal aborts. Never throws: an error would mean that the request may not have arrived.
 */
export async function readWhole(answer: FlowingAnswer, signal: AbortSignal): Promise<HttpAnswer> {
	const { body, headers } = answer;
	if (!flows(body)) return answer;
	const close = () => body.destroy();
	signal.addEventListener('abort', close);
	try {
		const bytes = await firstBytes(body, longestAnswer + 1);
		return bytes.length <= longestAnswer
			? { ...answer, body: decode(bytes, headers['content-type']) }
			: { ...answer, body: undefined, unread: { kind: 'tooLarge', status: answer.statusCode } };
	} catch (error) {
		const text = codeOf(error as Error);
		return { ...answer, body: undefined, unread: { kind: 'noAnswer', text } };
	} finally {
		signal.removeEventListener('abort', close);
	}
}

const flows = (body: unknown): body is AsyncIterable<Uint8Array> & { destroy(): unknown } =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** UTF-8 if the bytes are valid; else the declared charset, or Latin-1. */
function decode(bytes: Buffer, contentType: unknown): string {
	const [, declared = ''] = /charset="?([^\s;"]+)/i.exec(String(contentType)) ?? [];
	return decodeAs('utf-8', bytes) ?? decodeAs(declared, bytes) ?? bytes.toString('latin1');
}

/** One for all answers: each is decoded at once, which leaves nothing behind. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeAs(charset: string, bytes: Buffer): string | undefined {
	try {
		return (charset === 'utf-8' ? utf8 : new TextDecoder(charset, { fatal: true })).decode(bytes);
	} catch {
		return undefined; // invalid bytes or an unknown charset
	}
}
