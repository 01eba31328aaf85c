import fc from 'fast-check';
import { inPlainCharacters, isGsm7, measureSms } from '../../../../nodes/text/sms';
import { runs } from '../../support/runs';
import { segmentsOf } from './standard';

/** So that a single character outside of GSM-7 costs a segment. */
const rest = `\n${'x'.repeat(80)}`;

test.each([
	['“Hi” – it’s ‘so’… «ok» ‹x›', "\"Hi\" - it's 'so'... \"ok\" 'x'"],
	['R$\u00a010\u2009000\u202f— 5\u00a0kg', 'R$ 10 000 - 5 kg'],
	['• a\tb\u000bc\u2028d \uf0b7 e', '- a b\nc\nd - e'],
	['soft\u00adhyphen, zero\u200b\ufeffwidth, a\u200db', 'softhyphen, zerowidth, ab'],
	['cœur, ŒUVRE, ﬁm, Ⅳ, Ｐｒｏｍｏ！ 𝗣𝗿𝗼𝗺𝗼', 'coeur, OEUVRE, fim, IV, Promo! Promo'],
	['Ok™ ok™\ufe0f © ® nº 3 1ª m² 2×3', 'OkTM okTM (c) (R) no 3 1a m2 2x3'],
	['1½ h, ½ h, ¾', '1 1/2 h, 1/2 h, 3/4'],
	['R$ 100¹, R$ 9⁹⁹, 10②', 'R$ 100 1, R$ 9 99, 10 2'], // a price with a note is no other price
	['→ ≤ ≥ ±', '-> <= >= +/-'],
	['cafe\u0301 é Ω Å ÅÅ –', 'café é Ω Å ÅÅ -'], // composed, what GSM-7 has
	['Olá, João! “Promoção” só amanhã.', 'Ola, Joao! "Promocao" so amanha.'],
	['áâãíóôõúç ÁÂÃÀÊÍÓÔÕÚ', 'aaaiooouc AAAAEIOOOU'],
	['Łódź, Wisła, Đà Nẵng, ısı İ, Ħħ Ŧŧ đ q\u0303', 'Lodz, Wisla, Dà Nang, isi I, Hh Tt d q'],
	...[
		...[
			'João 🎉',
			'“x” ★ ☆',
			'👨\u200d👩\u200d👧 …',
			'1\ufe0f\u20e3 …',
			'می\u200cخواهم',
			'「こ」。',
		],
		...['«ж»', '₹5 “x”'],
	].map((text) => [text, text]),
	['', ''],
])('%j becomes %j where that takes fewer segments', (text, plain) => {
	expect(inPlainCharacters(text + rest)).toBe(plain + rest);
	expect(inPlainCharacters(text, rest)).toBe(plain);
	expect(inPlainCharacters(text)).toBe(text); // one segment
});

test.each(['…'.repeat(70), `${'…'.repeat(60)}${'x'.repeat(20)}`])('%j takes as many', (text) => {
	expect(inPlainCharacters(text)).toBe(text);
});

test.each([
	`x ≠ y ${'ã'.repeat(60)}${'x'.repeat(20)}`, // a stroke through = is not =
	`https://example.com/?t=__Ab3__ ${'x'.repeat(60)}`,
	`https://example.com/*promo*/1 /*promo*/1 ${'x'.repeat(60)}`,
	'user__name__@example.com',
	`Code ?t=__Ab3__ or ?t=*Ab*&x ${'x'.repeat(60)}`,
	...['R$ 1\u03360\u03360\u0336 80', 'x\u20d2'].map((text) => `${text} ${'x'.repeat(70)}`),
	...['joão@example.com', 'promoção.com.br', 'example.com/promoção', 'https://example.com/ã'].map(
		(address) => `${address} “${'x'.repeat(70)}”`,
	),
])('%j keeps what would mean something else', (text) => {
	expect(inPlainCharacters(text)).toBe(text);
});

test('a text is plain around an address that stays', () => {
	const address = 'https://example.com/ã?t=**a**b';
	expect(inPlainCharacters(`**Pay** ${'…'.repeat(80)} **here: ${address}**.`)).toBe(
		`Pay ${'…'.repeat(80)} here: ${address}.`,
	);
});

const words = 'Olá amanhã às cœur reçu l’été über Größe jest źdźbło ваш yola çıktı ¿Qué está';
const texts = fc
	.array(
		fc.oneof(
			{ weight: 12, arbitrary: fc.constantFrom(...words.split(' ')) },
			{ weight: 3, arbitrary: fc.constantFrom(...'‘’“„«–—…•\u00a0\u202f\u00ad\u200b\t™©½²→œ') },
			{
				weight: 1,
				arbitrary: fc.constantFrom('€', '[x]', '\n', 'e\u0301', '12', '👍🏽', '1\ufe0f\u20e3'),
			},
		),
		{ maxLength: 60, size: 'max' },
	)
	.map((parts) => parts.join(' '));

test('texts of several languages: GSM-7 with fewer segments, or as they were', () => {
	fc.assert(
		fc.property(texts, (text) => {
			const plain = inPlainCharacters(text);
			expect(inPlainCharacters(plain)).toBe(plain);
			for (const each of [text, plain]) {
				expect(measureSms(each).segments).toBe(segmentsOf(each).segments.length);
			}
			if (plain === text) return;
			expect(isGsm7(plain)).toBe(true);
			expect(measureSms(plain).segments).toBeLessThan(measureSms(text).segments);
		}),
		runs,
	);
});
