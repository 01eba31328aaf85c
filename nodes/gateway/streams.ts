import type { IExecuteFunctions } from 'n8n-workflow';

/** A Node stream: community nodes may not import `stream`. */
export type NodeStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>> & {
	destroy(): unknown;
	errored?: Error | null;
};

type ReadableClass = { from(parts: AsyncIterable<string>): NodeStream };

/** Length of the padded Base64 of so many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Bytes to encode at a time, a multiple of 3. Some of n8n's stores return a file as one chunk. */
export const pieceSize = 48 * 1024;

/**
 * Streams `start`, a file as Base64, and `end`. Breaks before `end` if the file does, or if its size
 * is not `size` (in bytes).
 */
export function encodeBase64(
	content: NodeStream,
	size: number,
	start: string,
	end: string,
): NodeStream {
	content.once('error', () => {}); // reading it reports the error, maybe later
	const parts = encode(content, size, start, end);
	return (content.constructor as unknown as ReadableClass).from({
		[Symbol.asyncIterator]: () => ({
			next: async () => await parts.next(),
			async return() {
				content.destroy(); // first, as the next part may be waiting for it
				return await parts.return(undefined);
			},
		}),
	});
}

async function* encode(
	content: NodeStream,
	size: number,
	start: string,
	end: string,
): AsyncGenerator<string, undefined> {
	let read = 0;
	let rest: Buffer = Buffer.alloc(0); // fewer than 3 bytes, which become 4 characters
	yield start;
	for await (const chunk of content as unknown as AsyncIterable<Buffer>) {
		read += chunk.length;
		if (read > size) break;
		const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
		const ready = bytes.length - (bytes.length % 3);
		for (let from = 0; from < ready; from += pieceSize) {
			yield bytes.toString('base64', from, Math.min(from + pieceSize, ready));
		}
		rest = bytes.subarray(ready);
	}
	if (read !== size) throw new Error('The file does not have the size that n8n recorded');
	yield rest.toString('base64') + end;
}

/** What comes first of a stream, which ends then: leaving the loop closes the connection. */
export async function firstBytes(stream: unknown, most: number): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of stream as AsyncIterable<Uint8Array>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= most) break;
	}
	return Buffer.concat(chunks).subarray(0, most);
}
