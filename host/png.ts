import { crc32, deflateSync, inflateSync } from 'node:zlib';

/**
 * A picture of a screen with at most so many colours, which takes half the room: for each of the
 * others, the nearest of them.
 *
 * @param png as Chromium writes it: 8 bits for each of RGB or RGBA, not interlaced
 */
export function withFewColours(png: Buffer, most = 128): Buffer {
	const { width, height, colours } = read(png);
	const counts = new Map<number, number>();
	for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	const palette = choose(counts, most);
	const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));

	const rows = Buffer.alloc((width + 1) * height); // each begins with its filter: none
	colours.forEach((colour, at) => {
		rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indices.get(colour)!;
	});
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 3, 0, 0, 0], 8); // bits, palette, and the only methods that there are
	return Buffer.concat([
		png.subarray(0, 8), // the signature
		chunk('IHDR', header),
		chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
		chunk('IDAT', deflateSync(rows, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function read(png: Buffer): { width: number; height: number; colours: Uint32Array } {
	const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
	const size = png[25] === 6 ? 4 : 3; // bytes of a pixel
	const data = inflateSync(Buffer.concat([...dataOf(png)]));
	const stride = width * size;
	const colours = new Uint32Array(width * height);
	let above = Buffer.alloc(stride);
	for (let y = 0; y < height; y++) {
		const start = y * (stride + 1);
		const row = Buffer.from(data.subarray(start + 1, start + 1 + stride));
		unfilter(row, above, data[start]!, size);
		for (let x = 0; x < width; x++) {
			colours[y * width + x] = row.readUIntBE(x * size, 3);
		}
		above = row;
	}
	return { width, height, colours };
}

function* dataOf(png: Buffer): Generator<Buffer> {
	for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
		if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
			yield png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
		}
	}
}

/** PNG 1.2, section 6: a row holds differences from the pixel on its left and the row above. */
function unfilter(row: Buffer, above: Buffer, filter: number, size: number): void {
	for (let at = 0; at < row.length; at++) {
		const left = row[at - size] ?? 0;
		const up = above[at]!;
		const corner = above[at - size] ?? 0;
		const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
		row[at] = row[at]! + guess; // modulo 256
	}
}

function paeth(left: number, up: number, corner: number): number {
	const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
	if (a! <= b! && a! <= c!) return left;
	return b! <= c! ? up : corner;
}

const channelsOf = (colour: number): number[] => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** Squared. */
function distanceOf(one: number, other: number): number {
	const red = (one >> 16) - (other >> 16);
	const green = ((one >> 8) & 255) - ((other >> 8) & 255);
	const blue = (one & 255) - (other & 255);
	return red * red + green * green + blue * blue;
}

/** One after the other, that which is worst off without: frequent, and far from those that are chosen. */
function choose(counts: Map<number, number>, most: number): number[] {
	const left = [...counts].map(([colour, count]) => ({ colour, count, distance: Infinity }));
	const palette: number[] = [];
	while (palette.length < Math.min(most, counts.size)) {
		const loss = (entry: (typeof left)[number]) =>
			entry.count * Math.min(entry.distance, distanceOf(0, 0xffffff));
		const { colour } = left.reduce((worst, entry) => (loss(entry) > loss(worst) ? entry : worst));
		palette.push(colour);
		for (const entry of left) {
			entry.distance = Math.min(entry.distance, distanceOf(colour, entry.colour));
		}
	}
	return palette;
}

function nearest(palette: number[], colour: number): number {
	const distances = palette.map((candidate) => distanceOf(candidate, colour));
	return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	const check = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	check.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, check]);
}
