import fc from 'fast-check';
import { explainLength, isGsm7, measureSms } from '../../../../nodes/text/sms';
import { codes, escaped, segmentsOf } from './standard';

const a = (count: number, of = 'a') => of.repeat(count);

test.each<[string, string, string, number]>([
	['160 characters', a(160), 'GSM-7', 1],
	['161', a(161), 'GSM-7', 2],
	['one more', a(307), 'GSM-7', 3],
	['an escape pair on the border goes into the next part', `${a(152)}€${a(152)}`, 'GSM-7', 3],
	['70 characters beyond GSM-7', a(70, 'ã'), 'UCS-2', 1],
	['71', a(71, 'ã'), 'UCS-2', 2],
	['one more of them', a(135, 'ã'), 'UCS-2', 3],
	['no emoji is cut in two', a(67, '😀'), 'UCS-2', 3],
	['one á among 159', `${a(159)}á`, 'UCS-2', 3],
	['in UCS-2, a euro is one', `${a(69, '€')}ã`, 'UCS-2', 1],
])('%s', (_, text, encoding, segments) => {
	expect(measureSms(text)).toMatchObject({ encoding, segments });
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
	fc.assert(
		fc.property(any, (text) => {
			const { encoding, segments } = segmentsOf(text);
			expect(measureSms(text)).toMatchObject({ encoding, segments: segments.length });
		}),
		{ numRuns: 2_000 },
	);
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

test('the standard has 127 characters, and ten more behind an escape', () => {
	expect(new Set(codes.values()).size).toBe(127);
	expect(new Set(escaped.values()).size).toBe(10);
});

test('what GSM-7 has is what the standard has', () => {
	const standard = [...codes.values(), ...escaped.values()];
	expect(everyUnit.filter(isGsm7).sort()).toEqual(standard.sort());
});

test.each([
	['', undefined],
	['Olé à ù ì ò Ç € [x]\n', undefined],
	['Opção á', 'ç'],
	['Olá', 'á'],
	['a\tb', '\t'],
	['Oi 😀!', '😀'],
	['e\u0301', '\u0301'],
])('the first character of %j that the alphabet lacks is %j', (text, outside) => {
	expect(measureSms(text).outside).toBe(outside);
	expect(isGsm7(text)).toBe(outside === undefined);
});
