import type { IDataObject } from 'n8n-workflow';

import type { HttpAnswer } from './judge/answer';
import { codeOf } from './judge/failure';

/** Bytes of an answer, unpacked: more than a list of 100,000 messages has. */
const longestAnswer = 16 * 1024 * 1024;

/** An answer as n8n's request helper hands it over: its body still flows, unpacked. */
export interface FlowingAnswer {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** A Node stream, typed by what is used of it: community nodes may not import `stream`. */
type Flow = AsyncIterable<Uint8Array> & { destroy(): unknown };

/**
 * Reads an answer to its end, as text, unless it is too large or breaks off; its connection is closed
 * then, and when the signal aborts. Never throws: an answer that began has left no doubt that the
 * request had arrived.
 */
export async function readWhole(answer: FlowingAnswer, signal: AbortSignal): Promise<HttpAnswer> {
	const { body, headers } = answer;
	if (!flows(body)) return answer;
	const close = () => body.destroy();
	signal.addEventListener('abort', close);
	try {
		const bytes = await collect(body);
		return bytes
			? { ...answer, body: decode(bytes, headers['content-type']) }
			: { ...answer, body: undefined, unread: { kind: 'tooLarge', status: answer.statusCode } };
	} catch (error) {
		const text = codeOf(error as Error);
		return { ...answer, body: undefined, unread: { kind: 'noAnswer', text } };
	} finally {
		signal.removeEventListener('abort', close);
	}
}

const flows = (body: unknown): body is Flow =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Undefined where there are too many bytes; leaving the loop destroys the stream. */
async function collect(body: Flow): Promise<Buffer | undefined> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > longestAnswer) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** UTF-8 where the bytes are that, whatever the answer says; else what it says, or Latin-1. */
function decode(bytes: Buffer, contentType: unknown): string {
	const [, declared] = /charset="?([^\s;"]+)/i.exec(String(contentType)) ?? [];
	return (
		decodeAs('utf-8', bytes) ??
		(declared === undefined ? undefined : decodeAs(declared, bytes)) ??
		bytes.toString('latin1')
	);
}

function decodeAs(charset: string, bytes: Buffer): string | undefined {
	try {
		return new TextDecoder(charset, { fatal: true }).decode(bytes);
	} catch {
		return undefined; // not in it, or not known
	}
}
