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
