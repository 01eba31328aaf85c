import fc from 'fast-check';
import { withoutAccents, inPlainCharacters } from '../../../../nodes/text/sms/plain';
import { isGsm7, measureSms } from '../../../../nodes/text/sms/length';
import { runs } from '../../support/runs';
import { segmentsOf, septets } from './standard';
import { texts, typographic } from './texts';

test.each([
	['“Hi” – it’s ‘so’… «ok» ‹x›', "\"Hi\" - it's 'so'... \"ok\" 'x'"],
	['R$\u00a010\u2009000\u202f— 5\u00a0kg', 'R$ 10 000 - 5 kg'],
	['• a\tb\u000bc\u2028d \uf0b7 e', '- a b\nc\nd - e'],
	['soft\u00adhyphen, zero\u200b\ufeffwidth, a\u200db', 'softhyphen, zerowidth, ab'],
	['cœur, ŒUVRE, ﬁm, Ⅳ, Ｐｒｏｍｏ！', 'coeur, OEUVRE, fim, IV, Promo!'],
	['𝗣𝗿𝗼𝗺𝗼 ᴘʀᴏᴍᴏ', 'Promo PROMO'],
	['Ok™ ok™\ufe0f © ® 25°C nº 3 1ª m² 2×3 µ', 'OkTM okTM (c) (R) 25oC no 3 1a m2 2x3 u'],
	['1½ h, ½ h, ¾', '1 1/2 h, 1/2 h, 3/4'],
	['R$ 100¹, R$ 9⁹⁹, 10②, 5‰', 'R$ 100 1, R$ 9 99, 10 2, 5 0/00'], // a price with a note is no other price
	['①10% ②5% ½1', '1 10% 2 5% 1/2 1'],
	['→ ≤ ≥ ≠ ± ₹5', '-> <= >= != +/- INR5'],
	['cafe\u0301 é Ω Å', 'café é Ω Å'], // composed, what GSM-7 has
	...[
		'São “x”',
		'“x” 😀',
		'👨\u200d👩\u200d👧 …',
		'1\ufe0f\u20e3 …',
		'می\u200cخواهم',
		'「こ」。',
		'«ж»',
	].map((text) => [text, text]),
	['…'.repeat(70), '…'.repeat(70)], // one segment; with full stops, two
	['', ''],
])('%j becomes %j', (text, plain) => {
	expect(inPlainCharacters(text)).toBe(plain);
});

/** All that `smartEncoding` of sms-segments-calculator 1.3.0 replaces, but marks of letters and C1 controls. */
const replacedElsewhere =
	'«»“”ʺˮ‟„❝❞〝〞＂‘’ʻˈʼʽʹ‛＇´ˊ`ˋ❛❜︐︑÷¼½¾⧸⁄∕／⧹⧵﹨＼＿∣｜⎸⎹⏐⎜⎟⎼⎽―﹣－‐⁃﹫＠﹩＄ǃ︕﹗！﹟＃﹪％﹠＆‚﹐﹑，､❨❪﹙（⟮⦅❩❫﹚）⟯⦆' +
	'⁎∗⊛✢✣✤✥✱✲✳✺✻✼✽❃❉❊❋⧆﹡＊˖﹢＋。﹒．｡０１２３４５６７８９ː˸⦂꞉︓：⁏︔﹔；﹤＜꞊﹦＝﹥＞︖﹖？Ａᴀ' +
	'Ｂʙ Ｃᴄ Ｄᴅ Ｅᴇ Ｆꜰ Ｇɢ Ｈʜ Ｉɪ Ｊᴊ Ｋᴋ Ｌʟ Ｍᴍ Ｎɴ Ｏᴏ Ｐᴘ Ｑ Ｒʀ Ｓꜱ Ｔᴛ Ｕᴜ Ｖᴠ Ｗᴡ Ｘ Ｙʏ Ｚᴢ ˆ＾❴﹛｛❵﹜｝［］˜˷∼～' +
	'\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\u0000\u0003\u0010\u0019\u2060' +
	'‗—–‹›‼\u2028\u2029…\u200b\u200c、\ufeff•';

test.each([
	['other libraries', Array.from(replacedElsewhere)],
	[
		'Unicode calls spaces, dashes and quotation marks',
		everyOf(/^[\p{Z}\p{Pd}\p{Pi}\p{Pf}]$/u, 0x2e00),
	],
])('all that %s', (_, characters) => {
	expect(characters.filter((character) => !isGsm7(inPlainCharacters(character)))).toEqual([]);
});

function everyOf(shape: RegExp, end: number): string[] {
	return Array.from({ length: end }, (_, code) => String.fromCharCode(code)).filter((character) =>
		shape.test(character),
	);
}

test('texts in ten languages: never more segments, GSM-7 unless a letter or an emoji forbids it', () => {
	fc.assert(
		fc.property(texts, (text) => {
			const plain = inPlainCharacters(text);
			if (isGsm7(text)) expect(plain).toBe(text);
			expect(inPlainCharacters(plain)).toBe(plain);
			for (const each of [text, plain]) {
				expect(measureSms(each).segments).toBe(segmentsOf(each).segments.length);
			}
			expect(measureSms(plain).segments).toBeLessThanOrEqual(measureSms(text).segments);
			const others = Array.from(text.normalize('NFC')).filter(
				(one) => !septets(one) && !typographic.includes(one),
			);
			expect(isGsm7(plain)).toBe(others.length === 0);
		}),
		runs,
	);
});

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
const any = fc
	.array(
		fc.oneof(
			fc.constantFrom(...latin, '\u0301', '\u0303', '\u0327', '😀', '’'),
			fc.string({ unit: 'binary', maxLength: 3 }),
		),
		{ maxLength: 200 },
	)
	.map((parts) => parts.join(''));

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
