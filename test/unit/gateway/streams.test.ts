import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';

import {
	base64Length,
	encodeBase64,
	pieceSize,
	type NodeStream,
} from '../../../nodes/gateway/streams';

const streamOf = (parts: Uint8Array[]) =>
	Readable.from(
		parts.map((part) => Buffer.from(part)),
		{ objectMode: false },
	);

async function encode(parts: Uint8Array[], start = '', end = '') {
	const size = Buffer.concat(parts).length;
	return await text(encodeBase64(streamOf(parts) as never, size, start, end) as never);
}

test('any bytes in any chunks give their Base64, of the announced length', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 })), async (chunks) => {
			fc.pre(chunks.some(({ length }) => length > 0));
			const whole = Buffer.concat(chunks);
			const encoded = await encode(chunks);
			expect(encoded).toBe(whole.toString('base64'));
			expect(encoded).toHaveLength(base64Length(whole.length));
		}),
	);
});

test('a file that comes as one chunk, as a database gives it, is encoded too', async () => {
	for (const bytes of [1, 2, 3, pieceSize - 1, pieceSize, pieceSize + 1, 3 * pieceSize + 2]) {
		const content = randomBytes(bytes);
		const encoded = encodeBase64(Readable.from(content) as never, bytes, '', '"}');
		expect((await text(encoded as never)) === `${content.toString('base64')}"}`).toBe(true);
	}
});

test('a file is sent in pieces, for chunks of any size', async () => {
	const size = 3 * pieceSize;
	for (const content of [
		[randomBytes(size)],
		Array.from({ length: 6 }, () => randomBytes(size / 6)),
	]) {
		const lengths: number[] = [];
		const encoded: unknown = encodeBase64(streamOf(content) as never, size, '', '');
		for await (const { length } of encoded as AsyncIterable<string>) lengths.push(length);
		expect(lengths.reduce((sum, length) => sum + length)).toBe(base64Length(size));
		expect(Math.max(...lengths)).toBeLessThanOrEqual(base64Length(pieceSize) + 4);
	}
});

test.each([
	['shorter', 8],
	['longer', 6],
	['longer, in several chunks', 1],
])('a file that is %s than n8n has it breaks before its end', async (_, size) => {
	for (const content of [Readable.from(Buffer.from('OggS au')), Readable.from(['OggS', ' au'])]) {
		let sent = '';
		const encoded = encodeBase64(content.map(Buffer.from) as never, size, '{"a":"', '"}');
		(encoded as Readable).on('data', (part: string) => (sent += part));
		await expect(once(encoded, 'end')).rejects.toThrow('does not have the size');
		expect(sent).not.toContain('}');
		expect(sent.length).toBeLessThanOrEqual('{"a":"'.length + base64Length(size));
		expect(encoded.errored).toBeInstanceOf(Error);
	}
});

test('a file that stalls is closed with the encoded stream', async () => {
	const file = new Readable({ read() {} });
	const encoded = encodeBase64(file as never, size, '', '');
	(encoded as Readable).resume();
	await settled();
	encoded.destroy();
	await settled();
	expect([file.destroyed, encoded.closed, encoded.errored]).toEqual([true, true, null]);
});

const chunks = Array.from({ length: 7 }, (_, index) => Buffer.from(`chunk ${index}`));
const files = {
	'on disk': () => createReadStream(__filename, { highWaterMark: 48 }) as Readable,
	elsewhere: () => Readable.from(chunks),
};
/** More than any of them has, so that the encoded stream ends with none. */
const size = 1e6;

const moments = {
	'before anything was read': async () => {},
	'a moment later': async () => await settled(),
	'while it is read': async (encoded: NodeStream) => void (await once(encoded, 'readable')),
};
const cases = Object.entries(files).flatMap(([where, open]) =>
	Object.entries(moments).map(([when, wait]) => [where, when, open, wait] as const),
);

/** Files are opened and closed outside the event loop's turns. */
const settled = async () => await new Promise<void>((resolve) => setTimeout(resolve, 20));

describe.each(cases)('a file %s, %s', (_where, _when, open, wait) => {
	test('is closed with the encoded stream, and nothing else happens', async () => {
		const file = open();
		const encoded = encodeBase64(file as never, size, '', '');
		await wait(encoded);
		encoded.destroy();
		await settled(); // an error that nobody listens to would end the process here
		expect(file.destroyed).toBe(true);
	});

	test('that breaks before it is read does so unheard', async () => {
		const file = open();
		const encoded = encodeBase64(file as never, size, '', '');
		file.destroy(new Error('read failed'));
		await settled(); // an error that nobody listens to would end the process here
		await expect(text(encoded as never)).rejects.toThrow('read failed');
	});

	test('that breaks breaks the encoded stream, and nothing else', async () => {
		const file = open();
		const encoded = encodeBase64(file as never, size, '', '');
		await wait(encoded);
		file.destroy(new Error('read failed'));
		await expect(text(encoded as never)).rejects.toThrow('read failed');
		await settled();
	});
});
