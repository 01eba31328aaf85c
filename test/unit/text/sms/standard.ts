/**
 * The tables of 3GPP TS 23.038 V17 §6.2.1 and §6.2.1.1, taken down by code as Unicode code points,
 * and an encoder that cuts what it has encoded: made apart from the code under test.
 */
const rows = [
	// 0x00 to 0x0F, and so on, one row of the code per line; 0 is the escape
	...[
		0x40, 0xa3, 0x24, 0xa5, 0xe8, 0xe9, 0xf9, 0xec, 0xf2, 0xc7, 0x0a, 0xd8, 0xf8, 0x0d, 0xc5, 0xe5,
	],
	...[
		0x394, 0x5f, 0x3a6, 0x393, 0x39b, 0x3a9, 0x3a0, 0x3a8, 0x3a3, 0x398, 0x39e, 0, 0xc6, 0xe6, 0xdf,
		0xc9,
	],
	...[
		0x20, 0x21, 0x22, 0x23, 0xa4, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f,
	],
	...[
		0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f,
	],
	...[
		0xa1, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f,
	],
	...[
		0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0xc4, 0xd6, 0xd1, 0xdc, 0xa7,
	],
	...[
		0xbf, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f,
	],
	...[
		0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0xe4, 0xf6, 0xf1, 0xfc, 0xe0,
	],
];

const ESCAPE = 0x1b;

/** Septet → character. */
export const codes = new Map(
	rows
		.map((point, code) => [code, String.fromCodePoint(point)] as const)
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
