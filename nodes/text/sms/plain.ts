import { isGsm7, measureSms, septetsOf } from './length';

/** What GSM-7 has, and what stands for the same elsewhere. Unicode itself knows the rest: see `plainOf`. */
const table: Array<[plain: string, others: string]> = [
	["'", '‘’‚‛‹›′‵´`ʹʻʼʽˈˊˋ❛❜︐︑'],
	['"', '“”„‟«»″‶¨ʺˮ❝❞〝〞'],
	['-', '−•·∙‣⁃◦▪▫●○■□◆◇►➢➤¯⎼⎽\uf0a7\uf0b7\uf0d8'], // the last three: bullets of word processors
	['...', '⋯'],
	[' ', '\t'],
	['\n', '\v\u0085\u2028\u2029'],
	['/', '÷⁄∕⧸'],
	['\\', '∖⧵⧹'],
	['|', '¦∣⎸⎹⎜⎟⏐'],
	['*', '⁎∗⊛★☆✢✣✤✥✱✲✳✺✻✼✽❃❉❊❋⧆'],
	['(', '❨❪⟮⦅'],
	[')', '❩❫⟯⦆'],
	['{', '❴'],
	['}', '❵'],
	[',', '、¸'],
	['.', '。'],
	[':', 'ː˸⦂꞉'],
	...Object.entries({ '!': 'ǃ', ';': '⁏', '=': '꞊', '+': '˖', _: '‗', '^': 'ˆ', '~': '˜˷∼≈' }),
	...Object.entries({ '<-': '←', '->': '→➔➜', '=>': '⇒', '<=': '≤', '>=': '≥', '!=': '≠' }),
	...Object.entries({ '(c)': '©', '(R)': '®', '+/-': '±', '0/00': '‰', x: '×', o: '°˚', u: 'µ' }),
	...Object.entries({ oe: 'œ', OE: 'Œ', SS: 'ẞ' }),
	...Object.entries({ c: '¢', INR: '₹', TRY: '₺', RUB: '₽', KRW: '₩', VND: '₫', NGN: '₦' }),
	...Object.entries({ PHP: '₱', UAH: '₴', ILS: '₪', CRC: '₡', PYG: '₲', THB: '฿' }),
	...zip('ABCDEFGHIJKLMNOPRSTUVWYZ', 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'),
];

const plainCharacterOf = new Map(
	table.flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
);

/**
 * Replaces what word processors, web pages and language models write for the characters of GSM-7: `“` →
 * `"`, but no letter that GSM-7 lacks. A text that would need UCS-2 all the same, for a letter or an
 * emoji, or take more segments, stays as it is.
 */
export function inPlainCharacters(text: string): string {
	const plain = withoutSpecials(text);
	const isShorter = isGsm7(plain) && measureSms(plain).segments <= measureSms(text).segments;
	return isShorter ? plain : text;
}

function withoutSpecials(text: string): string {
	const betweenNumbers = /(?<=\d)(?=[\p{No}‰])|(?<=[\p{No}‰])(?=\d)/gu; // 1½ is not 11/2, nor 100¹ 1001
	const spaced = text.normalize('NFC').replace(betweenNumbers, ' ');
	return Array.from(spaced, plainOf).join('');
}

function plainOf(character: string): string {
	if (septetsOf(character)) return character;
	const known = plainCharacterOf.get(character);
	if (known !== undefined) return known;
	if (/[\p{Default_Ignorable_Code_Point}\p{Cc}\ufffc]/u.test(character)) return '';
	if (/\p{Pd}/u.test(character)) return '-';
	if (/\p{Zs}/u.test(character)) return ' ';
	const compatible = character.normalize('NFKC'); // … → ..., ﬁ → fi, ™ → TM
	return compatible === character ? character : Array.from(compatible, plainOf).join('');
}

function zip(plain: string, others: string): Array<[string, string]> {
	const all = Array.from(others);
	return Array.from(plain, (letter, index) => [letter, all[index]!]);
}

/** Letters that Unicode does not decompose. */
const bases: Record<string, string> = {
	...{ Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', Ł: 'L', ł: 'l', Ŧ: 'T', ŧ: 't' },
	...{ ª: 'a', º: 'o' },
};

/** Replaces letters that GSM-7 lacks with base letters: `ã` → `a`, but not `é`, which it has. */
export function withoutAccents(text: string): string {
	return text.replace(/\p{L}\p{M}*/gu, (letter) => {
		const composed = letter.normalize('NFC'); // e and a combining mark are the é of GSM-7
		const base = letter.normalize('NFD').replace(/\p{M}/gu, '');
		return [composed, bases[base] ?? base].find(isGsm7) ?? letter;
	});
}
