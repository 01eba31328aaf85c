/**
 * The tables of 3GPP TS 23.038 V17 §6.2.1 and §6.2.1.1 in the order of the codes, 16 a row, as Unicode
 * code points (0 is the escape), and an encoder: written independently of the code under test.
 */
const rows = `
	40 a3 24 a5 e8 e9 f9 ec f2 c7 0a d8 f8 0d c5 e5
	394 5f 3a6 393 39b 3a9 3a0 3a8 3a3 398 39e 0 c6 e6 df c9
	20 21 22 23 a4 25 26 27 28 29 2a 2b 2c 2d 2e 2f
	30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f
	a1 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f
	50 51 52 53 54 55 56 57 58 59 5a c4 d6 d1 dc a7
	bf 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f
	70 71 72 73 74 75 76 77 78 79 7a e4 f6 f1 fc e0`;

const ESCAPE = 0x1b;

/** Septet → character. */
export const codes = new Map(
	rows
		.trim()
		.split(/\s+/)
		.map((point, code) => [code, String.fromCodePoint(parseInt(point, 16))] as const)
		.filter(([code]) => code !== ESCAPE),
);

/** Septet after an escape → character. */
export const escaped = new Map<number, string>([
	[0x0a, '\f'],
	[0x14, '^'],
	[0x28, '{'],
	[0x29, '}'],
	[0x2f, '\\'],
	[0x3c, '['],
	[0x3d, '~'],
	[0x3e, ']'],
	[0x40, '|'],
	[0x65, '€'],
]);

const invert = <T>(table: Map<T, string>) =>
	new Map([...table].map(([code, character]) => [character, code]));
const codeOf = invert(codes);
const escapedCodeOf = invert(escaped);

/** The text as septets; undefined where one of its characters has none. */
export function septets(text: string): number[] | undefined {
	const all = Array.from(text).map((character) => {
		const code = codeOf.get(character);
		const second = escapedCodeOf.get(character);
		if (code !== undefined) return [code];
		return second === undefined ? undefined : [ESCAPE, second];
	});
	return all.some((code) => !code) ? undefined : all.flatMap((code) => code!);
}

/** Cuts units into segments; `isPair` says which two may not come into two of them. */
function cut(
	units: number[],
	alone: number,
	part: number,
	isPair: (unit: number, next: number) => boolean,
): number[][] {
	if (units.length <= alone) return [units];
	const segments: number[][] = [];
	for (let at = 0; at < units.length;) {
		const end = at + part;
		const isWithin = end < units.length && isPair(units[end - 1]!, units[end]!);
		const size = isWithin ? part - 1 : part;
		segments.push(units.slice(at, at + size));
		at += size;
	}
	return segments;
}

/** What a phone network makes of the text. */
export function segmentsOf(text: string): { encoding: string; segments: number[][] } {
	const units = septets(text);
	if (units) {
		const segments = cut(units, 160, 153, (unit) => unit === ESCAPE);
		return { encoding: 'GSM-7', segments };
	}
	const utf16 = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
	const isSurrogatePair = (unit: number, next: number) =>
		unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000;
	return { encoding: 'UCS-2', segments: cut(utf16, 70, 67, isSurrogatePair) };
}
