import fc from 'fast-check';

import { withoutAccents } from '../../../../nodes/text/sms/plain';
import { isGsm7, measureSms } from '../../../../nodes/text/sms/length';

test.each([
	['Olá, João! Promoção só amanhã.', 'Ola, Joao! Promocao so amanha.'],
	['áâãíóôõúç ÁÂÃÀÊÍÓÔÕÚ', 'aaaiooouc AAAAEIOOOU'],
	...['é è à ù ì ò ä ö ü ñ å æ ø ß É Ç Ä Ö Ü Ñ Å Æ Ø', 'œ þ ð ά я 語 ﬁ'].map((text) => [
		text,
		text,
	]),
	['1ª via, nº 2', '1a via, no 2'],
	['Łódź, Wisła, Đà Nẵng, ısı İ, Ħħ Ŧŧ đ', 'Lodz, Wisla, Dà Nang, isi I, Hh Tt d'],
	['e\u0301 a\u0303 c\u0327 C\u0327 q\u0303', 'é a c Ç q'],
	['Ω Å Ώ', 'Ω Å Ω'],
	['😀 ’ “ ” – … \u00a0 ´ ` ~ ^ ° 1\ufe0f\u20e3', '😀 ’ “ ” – … \u00a0 ´ ` ~ ^ ° 1\ufe0f\u20e3'],
	['', ''],
])('%j becomes %j', (text, plain) => {
	expect(withoutAccents(text)).toBe(plain);
});

const latin = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code));
const texts = fc.array(
	fc.oneof(
		fc.constantFrom(...latin, '\u0301', '\u0303', '\u0327', '😀', '’'),
		fc.string({ unit: 'binary', maxLength: 3 }),
	),
	{ maxLength: 200 },
);
const any = texts.map((parts) => parts.join(''));

test('what GSM-7 has stays, and no text gets longer', () => {
	fc.assert(
		fc.property(any, (text) => {
			const plain = withoutAccents(text);
			if (isGsm7(text)) expect(plain).toBe(text);
			expect(withoutAccents(plain)).toBe(plain);
			const other = /[^\p{L}\p{M}]/gu;
			expect(plain.match(other)).toEqual(text.match(other));
			expect(plain.length).toBeLessThanOrEqual(text.length);
			expect(measureSms(plain).segments).toBeLessThanOrEqual(measureSms(text).segments);
		}),
		{ numRuns: 2_000 },
	);
});
