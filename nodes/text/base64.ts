import type { IExecuteFunctions } from 'n8n-workflow';

/** A Node stream, typed by what n8n gives: community nodes may not import `stream`. */
export type NodeStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>> & {
	destroy(): unknown;
	errored?: Error | null;
};

/** The class of Node's streams, which community nodes may not import: any stream leads to it. */
type ReadableClass = { from(parts: AsyncIterable<string>): NodeStream };

/** Characters of the padded Base64 of that many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Bytes read and encoded at a time, a multiple of 3. Some of n8n's stores give a file as one chunk. */
export const pieceSize = 48 * 1024;

/**
 * Encodes a file as it flows: `start`, its content as Base64, `end`. What comes of it never ends
 * with `end` unless the file was read whole: it breaks when the file does, and when the file has
 * another size than it should.
 *
 * @param size of the content in bytes
 */
export function encodeBase64(
	content: NodeStream,
	size: number,
	start: string,
	end: string,
): NodeStream {
	content.once('error', () => {}); // told where it is read, which may be later
	const parts = encode(content, size, start, end);
	return (content.constructor as unknown as ReadableClass).from({
		[Symbol.asyncIterator]: () => ({
			next: async () => await parts.next(),
			async return() {
				content.destroy(); // first: the next part may be waiting for it
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
	let rest: Buffer = Buffer.alloc(0); // Base64 turns 3 bytes into 4 characters; fewer wait
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
