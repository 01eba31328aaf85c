import { isGsm7, measureSms, septetsOf } from './length';

/** Maps characters to what stands for the same in GSM-7. Unicode itself knows the rest: see `equalOf`. */
const equals = new Map(
	Object.entries({
		"'": '‘’‚‛‹›′‵´`ʹʻʼʽˈˊˋ',
		'"': '“”„‟«»″‶¨ʺˮ〝〞',
		'-': '−•·∙‣⁃◦▪▫●○■□◆◇►➢➤\uf0a7\uf0b7\uf0d8', // the last three: bullets of word processors
		' ': '\t',
		'\n': '\v\u0085\u2028\u2029',
		'/': '÷⁄∕',
		'|': '¦',
		...{ '<-': '←', '->': '→➔➜', '=>': '⇒', '<=': '≤', '>=': '≥', '+/-': '±', '~': '˜∼≈' },
		...{ '(c)': '©', '(R)': '®', x: '×', D: 'Đ', d: 'đ', H: 'Ħ', h: 'ħ', i: 'ı', L: 'Ł', l: 'ł' },
		...{ T: 'Ŧ', t: 'ŧ', oe: 'œ', OE: 'Œ', SS: 'ẞ' },
	}).flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
);

/** No SMS has more characters: 255 segments (3GPP TS 23.040 §9.2.3.24.1). */
const longestSms = 255 * 153;

/**
 * Replaces what GSM-7 lacks and has an equal of: `“` → `"`, `…` → `...`, `ã` → `a`. A text that needs
 * UCS-2 all the same, for a letter or an emoji, or takes no fewer segments, stays as it is.
 *
 * @param end of the SMS, in characters of GSM-7
 */
export function inPlainCharacters(text: string, end = ''): string {
	if (text.length > longestSms) return text;
	const segments = (each: string) => measureSms(each + end).segments;
	if (isGsm7(text) || segments(text) === 1) return text;
	const plain = withEquals(text);
	return isGsm7(plain) && segments(plain) < segments(text) ? plain : text;
}

function withEquals(text: string): string {
	const betweenNumbers = /(?<=\d)(?=\p{No})|(?<=\p{No})(?=\d)/gu; // 1½ is not 11/2, nor 100¹ 1001
	const known = new Map<string, string>();
	return Array.from(text.normalize('NFC').replace(betweenNumbers, ' '), (character) => {
		const equal = known.get(character) ?? equalOf(character);
		known.set(character, equal);
		return equal;
	}).join('');
}

function equalOf(character: string): string {
	if (septetsOf(character)) return character;
	const known = equals.get(character);
	if (known !== undefined) return known;
	if (/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Mn}\ufffc]/u.test(character)) return '';
	if (/\p{Pd}/u.test(character)) return '-';
	if (/\p{Zs}/u.test(character)) return ' ';
	const parts = character.normalize('NFKD'); // ã → a and its mark, … → ..., ﬁ → fi, ™ → TM
	return parts === character ? character : Array.from(parts, equalOf).join('');
}
