import { explainLength, measureSms } from '../../../../nodes/text/sms/length';

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
	['привет', '"п" (U+043F) at position 1'],
])('what makes %j UCS-2: %s', (text, which) => {
	expect(explain(text)).toBe(
		`Because of ${which}, one segment fits 70 characters instead of 160; in a longer text, each fits 67 instead of 153. 'Characters' in the options replaces accents and typographic characters.`,
	);
});
