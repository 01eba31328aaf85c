import { explainLength } from '../../../../nodes/text/sms/explainLength';
import { measureSms } from '../../../../nodes/text/sms/length';

const explain = (text: string) => explainLength(text, measureSms(text));
const long = 'a'.repeat(200);

test('a GSM-7 text: what counts', () => {
	expect(explain(long)).toEqual([
		'One segment fits 160 characters; in a longer text, each fits 153. The characters ^ { } [ ] ~ \\ | and € count twice.',
	]);
});

test.each([
	['Olá, João', '"á" (U+00E1) at position 3'],
	['It’s', '"’" (U+2019) at position 3'],
	['R$\u00a010', 'a non-standard space (U+00A0) at position 3'],
	['a\tb', 'a tab (U+0009) at position 2'],
	['a\u200bb', 'an invisible character (U+200B) at position 2'],
	['cafe\u0301', 'a combining mark (U+0301) at position 5'],
	['Oi 😀 á', '"😀" (U+1F600) at position 4'],
	['привет', '"п" (U+043F) at position 1'],
])('what makes %j UCS-2: %s', (text, which) => {
	expect(explain(text)[0]).toBe(
		`Because of ${which}, one segment fits 70 characters instead of 160; in a longer text, each fits 67 instead of 153.`,
	);
});

test.each([
	['‘x’', ['Replace it with a plain apostrophe.']],
	['`x´', ['Replace it with a plain apostrophe.']],
	['“x”', ['Replace it with a plain quotation mark.']],
	['a – b', ['Replace it with a plain hyphen.']],
	['• x', ['Replace it with a plain hyphen.']],
	['so…', ['Replace it with three full stops.']],
	['a\u00a0b', ['Replace it with a plain space.']],
	['a\tb', ['Replace it with a plain space.']],
	['\ufeffa', ['Remove it.']],
	['Oi 😀', ['Remove it.']],
	['привет', []],
	['Olá', ["With 'Remove Accents' turned on, this text takes 1 segment."]],
	[`${long} á`, ["With 'Remove Accents' turned on, this text takes 2 segments."]],
	['cafe\u0301', ["With 'Remove Accents' turned on, this text takes 1 segment."]],
	['Olá 😀', ['\'Remove Accents\' is not enough: "😀" (U+1F600) remains.']],
	[
		'“Olá',
		[
			'Replace it with a plain quotation mark.',
			'\'Remove Accents\' is not enough: "“" (U+201C) remains.',
		],
	],
])('how %j gets shorter: %j', (text, advice) => {
	expect(explain(text).slice(1)).toEqual(advice);
});
