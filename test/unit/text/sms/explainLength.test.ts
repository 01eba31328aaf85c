import { explainLength } from '../../../../nodes/text/sms/explainLength';
import { measureSms } from '../../../../nodes/text/sms/length';

const explain = (text: string) => explainLength(text, measureSms(text));
const long = 'a'.repeat(200);

test('a text of GSM-7 is told what counts', () => {
	expect(explain(long)).toEqual([
		'A text of one segment holds 160 characters, and each of several 153; ^ { } [ ] ~ \\ | and € count twice.',
	]);
});

test.each([
	['Olá, João', '"á" (U+00E1) at position 3'],
	['It’s', '"’" (U+2019) at position 3'],
	['R$\u00a010', 'a space of another kind (U+00A0) at position 3'],
	['a\tb', 'a tab (U+0009) at position 2'],
	['a\u200bb', 'an invisible character (U+200B) at position 2'],
	['cafe\u0301', 'a combining mark (U+0301) at position 5'],
	['Oi 😀 á', '"😀" (U+1F600) at position 4'],
	['привет', '"п" (U+043F) at position 1'],
])('%j is told what makes it UCS-2: %s', (text, which) => {
	expect(explain(text)[0]).toBe(
		`${which.charAt(0).toUpperCase()}${which.slice(1)} cuts a text of one segment from 160 to 70 characters, and each of several from 153 to 67.`,
	);
});

test.each([
	['‘x’', ['Put a plain apostrophe in its place.']],
	['`x´', ['Put a plain apostrophe in its place.']],
	['“x”', ['Put a plain quotation mark in its place.']],
	['a – b', ['Put a plain hyphen in its place.']],
	['• x', ['Put a plain hyphen in its place.']],
	['so…', ['Put three full stops in its place.']],
	['a\u00a0b', ['Put a plain space in its place.']],
	['a\tb', ['Put a plain space in its place.']],
	['\ufeffa', ['Leave it out.']],
	['Oi 😀', ['Leave it out.']],
	['привет', []],
	['Olá', ["With 'Remove Accents' in the options, this text takes 1 segment."]],
	[`${long} á`, ["With 'Remove Accents' in the options, this text takes 2 segments."]],
	['cafe\u0301', ["With 'Remove Accents' in the options, this text takes 1 segment."]],
	['Olá 😀', ['\'Remove Accents\' in the options is not enough: it leaves "😀" (U+1F600).']],
	[
		'“Olá',
		[
			'Put a plain quotation mark in its place.',
			'\'Remove Accents\' in the options is not enough: it leaves "“" (U+201C).',
		],
	],
])('%j is told how to get shorter: %j', (text, advice) => {
	expect(explain(text).slice(1)).toEqual(advice);
});
