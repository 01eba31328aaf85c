import fc from 'fast-check';
import { explainLength, isGsm7, measureSms } from '../../../../nodes/text/sms';
import { codes, escaped, segmentsOf } from './standard';

function expectAsCut(text: string): void {
	const { encoding, segments } = segmentsOf(text);
	expect(measureSms(text)).toMatchObject({ encoding, segments: segments.length });
}

test.each(['a', '€', 'ã', 'ã€', '😀'])('%s, once up to 320 times', (part) => {
	for (let count = 1; count <= 320; count++) expectAsCut(part.repeat(count));
});

/** Texts around the borders of one to three segments, pairs of units at any place among them. */
const texts = (...kinds: string[][]) =>
	fc
		.array(fc.tuple(fc.constantFrom(...kinds.flat()), fc.constantFrom(1, 2, 3, 60, 66, 75, 150)), {
			maxLength: 8,
		})
		.map((runs) => runs.map(([character, count]) => character.repeat(count)).join(''));

const gsm7 = [[...codes.values()], [...escaped.values()], ['{', '€', '|']];

test.each([
	['GSM-7', texts(...gsm7)],
	['UCS-2', texts(['a', 'ã', '😀', '👍🏽', '€', '\ud83d', '\ude00'])],
	['either', fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 500 }))],
])('%s: as many as a network would cut it into', (_, any) => {
	fc.assert(fc.property(any, expectAsCut), { numRuns: 2_000 });
});

const explain = (text: string) => explainLength(text, measureSms(text));

test('a GSM-7 text: what counts', () => {
	expect(explain('a'.repeat(200))).toBe(
		'One segment fits 160 characters; in a longer text, each fits 153. Characters such as €, [ and { count twice.',
	);
});

test.each([
	['Olá, João', '"á" (U+00E1) at position 3'],
	['It’s', '"’" (U+2019) at position 3'],
	['R$\u00a010', 'an invisible character (U+00A0) at position 3'],
	['a\tb', 'an invisible character (U+0009) at position 2'],
	['a\u200bb', 'an invisible character (U+200B) at position 2'],
	['cafe\u0301', 'an invisible character (U+0301) at position 5'],
	['é 😀', '"😀" (U+1F600) at position 3'],
])('what makes %j UCS-2: %s', (text, which) => {
	expect(explain(text)).toBe(
		`Because of ${which}, one segment fits 70 characters instead of 160; in a longer text, each fits 67 instead of 153.`,
	);
});

const everyUnit = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

test('what GSM-7 has is what the standard has', () => {
	const standard = [...codes.values(), ...escaped.values()];
	expect(everyUnit.filter(isGsm7).sort()).toEqual(standard.sort());
});
