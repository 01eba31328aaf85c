import type { NodeStream } from './item';

/** Characters of the padded Base64 of that many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/**
 * Encodes a file as it flows: `start`, its content as Base64, `end`. Only the chunk at hand is in
 * memory.
 *
 * @param size of the content in bytes, more than 0: tells the last chunk
 */
export function encodeBase64(
	content: NodeStream,
	size: number,
	start: string,
	end: string,
): NodeStream {
	let read = 0;
	let rest: Buffer = Buffer.alloc(0); // Base64 turns 3 bytes into 4 characters; fewer wait
	const encoded = content.map((chunk: Buffer): string => {
		const isFirst = read === 0;
		read += chunk.length;
		const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
		const ready = read < size ? bytes.length - (bytes.length % 3) : bytes.length;
		rest = bytes.subarray(ready);
		return (isFirst ? start : '') + bytes.toString('base64', 0, ready) + (read < size ? '' : end);
	}) as NodeStream;
	content.once('end', () => {
		if (read < size) encoded.destroy(new Error('The file is shorter than n8n has it'));
	});
	encoded.once('close', () => content.destroy()); // not read to its end when the request fails
	return encoded;
}
