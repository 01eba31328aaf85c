import type { NodeStream } from './item';

/** Characters of the padded Base64 of that many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/**
 * Encodes a stream as it flows: `start`, the content as Base64, `end`. Only the chunk at hand is
 * in memory.
 */
export function encodeBase64(content: NodeStream, start: string, end: string): NodeStream {
	return content.compose(async function* (chunks: AsyncIterable<Buffer>) {
		yield start;
		let rest: Buffer = Buffer.alloc(0); // Base64 turns 3 bytes into 4 characters; fewer wait
		for await (const chunk of chunks) {
			const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
			const whole = bytes.length - (bytes.length % 3);
			if (whole > 0) yield bytes.toString('base64', 0, whole);
			rest = bytes.subarray(whole);
		}
		yield rest.toString('base64') + end;
	} as never) as NodeStream;
}
