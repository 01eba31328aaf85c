import fc from 'fast-check';

import { parseExactly } from '../../../nodes/text/values';

const parse = (text: string) => parseExactly(text);

test.each([
	['9007199254740991', 9007199254740991],
	['9007199254740992', '9007199254740992'],
	['-9007199254740993', '-9007199254740993'],
	['{"id" : 12345678901234567890 }', { id: '12345678901234567890' }],
	['{"a":"\\"12345678901234567890","b":1}', { a: '"12345678901234567890', b: 1 }],
	['{"a\\\\":12345678901234567890}', { 'a\\': '12345678901234567890' }],
	['12345678901234567890.5', 12345678901234567890.5],
	['0.12345678901234567890', 0.1234567890123456789],
	['1234567890123456789e3', 1234567890123456789e3],
	['1E-12345678901234567890', 0],
])('%s', (text, value) => {
	expect(parse(text)).toEqual(value);
});

test.each([
	...['{12345678901234567890:1}', '00012345678901234567890', '12345678901234567890 1'],
	...['--12345678901234567890', '12345678901234567890-', '"12345678901234567890'],
	...['{"a":"\n12345678901234567890"}', "'12345678901234567890'", ''],
])('%j is not JSON', (text) => {
	expect(parse(text)).toBeUndefined();
});

/** Placeholder for an integer; no other string of the tests contains it. */
const mark = '§';

/** What JSON.parse makes of it, but for the integers that it rounds. */
const parseMarked = (text: string, integer: bigint) =>
	JSON.parse(text, (_, part: unknown) => {
		const number = Number(integer);
		if (part === mark) return Number.isSafeInteger(number) ? number : String(integer);
		// A large double is written as an integer, up to 21 digits.
		const isLarge = Number.isInteger(part) && !Number.isSafeInteger(part);
		return isLarge && Math.abs(part as number) < 1e21 ? String(part) : part;
	}) as unknown;

/** Texts that look like numbers, quotations and escapes. */
const text = fc
	.array(fc.constantFrom('"', '\\', '\\"', '12345678901234567890', ' ', ':', ',', '\n', 'é', '-'))
	.map((parts) => parts.join(''));

test('any JSON is read as JSON.parse does, but for the integers that it rounds', () => {
	const record = fc.dictionary(text, fc.oneof(text, fc.double({ noNaN: true }), fc.constant(mark)));
	const value = fc.array(fc.oneof(record, fc.jsonValue({ stringUnit: 'binary' })));
	const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
	fc.assert(
		fc.property(value, integer, fc.nat(3), (made, large, indent) => {
			const written = JSON.stringify(made, null, indent);
			const numbered = written.replaceAll(`"${mark}"`, String(large));
			expect(parse(numbered)).toEqual(parseMarked(written, large));
		}),
		{ numRuns: 1_000 },
	);
});

test.each(['\\"', '1', '"', '{', '12345678901234567890,'])(
	'two million characters of %j are no work, and do not fill the stack',
	(part) => {
		const inside = JSON.stringify(part.repeat(2_000_000 / part.length));
		expect(parse(`[${inside},12345678901234567890]`)).toHaveLength(2);
	},
);
