/** The GSM 7 bit default alphabet (3GPP TS 23.038 §6.2.1), without the escape. */
const gsm7Alphabet =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
	' !"#¤%&\'()*+,-./0123456789:;<=>?' +
	'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
	'¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The extension table (§6.2.1.1): an escape and a code each. */
const gsm7Extension = '\f^{}\\[~]|€';

const escapeForClass = (characters: string) => characters.replace(/[\\\]^-]/g, '\\$&');
const outsideGsm7 = new RegExp(`[^${escapeForClass(gsm7Alphabet + gsm7Extension)}]`, 'u');
const eachOutsideGsm7 = new RegExp(outsideGsm7, 'gu');

export const isGsm7 = (text: string): boolean => !outsideGsm7.test(text);

/** The length of an SMS, which is its price (3GPP TS 23.038, TS 23.040 §9.2.3.24.1). */
export interface SmsLength {
	encoding: 'GSM-7' | 'UCS-2';
	segments: number;
	/** The first whole character that GSM-7 lacks, the reason for UCS-2. */
	outside?: string;
}

/** The capacity of a single segment and of each of several, in septets or UTF-16 units. */
const capacities = { 'GSM-7': { alone: 160, part: 153 }, 'UCS-2': { alone: 70, part: 67 } };

/** Measures a text without the national language tables (Annex A), which hardly any service uses. */
export function measureSms(text: string): SmsLength {
	const outside = outsideGsm7.exec(text)?.[0];
	const encoding = outside === undefined ? 'GSM-7' : 'UCS-2';
	return { encoding, segments: countSegments(text, encoding), outside };
}

/** Counts segments, none of which splits an escape sequence or a surrogate pair. */
function countSegments(text: string, encoding: SmsLength['encoding']): number {
	const { alone, part } = capacities[encoding];
	let [total, parts, used] = [0, 1, 0];
	for (const character of text) {
		const isEscaped = encoding === 'GSM-7' && gsm7Extension.includes(character);
		const width = isEscaped ? 2 : character.length;
		total += width;
		used += width;
		if (used <= part) continue;
		parts++;
		used = width;
	}
	return total <= alone ? 1 : parts;
}

const { 'GSM-7': gsm7Capacity, 'UCS-2': ucs2Capacity } = capacities;

/** Explains in sentences why a text takes so many segments. */
export const explainLength = (text: string, { outside }: SmsLength): string =>
	outside === undefined
		? `One segment fits ${gsm7Capacity.alone} characters; in a longer text, each fits ${gsm7Capacity.part}. Characters such as €, [ and { count twice.`
		: `Because of ${describeCharacter(outside)} at position ${text.indexOf(outside) + 1}, one segment fits ${ucs2Capacity.alone} characters instead of ${gsm7Capacity.alone}; in a longer text, each fits ${ucs2Capacity.part} instead of ${gsm7Capacity.part}.`;

function describeCharacter(character: string): string {
	const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	const isVisible = /^[^\p{Z}\p{C}\p{M}]/u.test(character);
	return `${isVisible ? `"${character}"` : 'an invisible character'} (U+${point})`;
}

/** Maps characters to what stands for the same in GSM-7. Unicode itself knows the rest: see `equalOf`. */
const gsm7Equals = new Map(
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

/** The longest SMS, in characters: 255 segments (3GPP TS 23.040 §9.2.3.24.1). */
const longestSms = 255 * 153;

/**
 * Takes off Markdown, and replaces what GSM-7 lacks and has an equal of: `“` → `"`, `…` → `...`, `ã` → `a`.
 * The characters of a text that needs UCS-2 all the same, for a letter or an emoji, or takes no fewer
 * segments, stay as they are.
 *
 * @param end the end of the SMS, in characters of GSM-7
 */
export function inPlainCharacters(entered: string, end = ''): string {
	if (entered.length > longestSms) return entered;
	const addresses: string[] = [];
	const masked = withoutMarkdown(
		entered.replace(markdownLink, linkText).replace(anyAddress, (address) => {
			addresses.push(address);
			return addressMask;
		}),
	);
	const restore = (each: string) => {
		let next = 0;
		return each.replaceAll(addressMask, () => addresses[next++]!);
	};
	const text = restore(masked);
	const segments = (each: string) => measureSms(each + end).segments;
	if (isGsm7(text) || segments(text) === 1) return text;
	const plain = restore(withEquals(masked));
	return isGsm7(plain) && segments(plain) < segments(text) ? plain : text;
}

/** Stands for an address, in which nothing is changed. */
const addressMask = '\ue000';

/** Matches a web or e-mail address without what ends a sentence or closes a mark, and the mask itself. */
const anyAddress =
	/(?:https?:\/\/|www\.|(?<![\p{L}\p{N}.-])[\p{L}\p{N}.-]{1,200}\.[a-z]{2,24}\/)[^\s<>]{0,2000}[^\s<>*_.,;:!?'")\]]|[\p{L}\p{N}_.+-]{1,64}@[\p{L}\p{N}.-]{1,250}[\p{L}\p{N}]|(?<![\p{L}\p{N}.-])[\p{L}\p{N}.-]{1,200}\.[a-z]{2,24}(?![\p{L}\p{N}])|\ue000/giu;

function withEquals(text: string): string {
	const betweenNumbers = /(?<=\d)(?=\p{No})|(?<=\p{No})(?=\d)/gu; // 1½ is not 11/2, nor 100¹ 1001
	return text.normalize('NFC').replace(betweenNumbers, ' ').replace(eachOutsideGsm7, equalOf);
}

function equalOf(character: string): string {
	const known = gsm7Equals.get(character);
	if (known !== undefined) return known;
	// Accents, but no strokes: ≠ is not =, nor a price that is struck through a price.
	if (/[\p{Default_Ignorable_Code_Point}\p{Cc}\u0300-\u0333\u0339-\u036f\ufffc]/u.test(character))
		return '';
	if (/\p{Pd}/u.test(character)) return '-';
	if (/\p{Zs}/u.test(character)) return ' ';
	const parts = character.normalize('NFKD'); // ã → a and its mark, … → ..., ﬁ → fi, ™ → TM
	return parts === character ? character : parts.replace(eachOutsideGsm7, equalOf);
}

/** Matches asterisks around words, and two around anything: not in `5*3*2`, `*123*1#` or at a footnote. */
const emphasis =
	/(?<![\p{LC}\p{N}*\\=])(?!(?<=\/)\*[^*\n]*\*\/)(\*{1,3})(?=[^\s*])(?:(?<=\*\*)|(?=[^*\n]*\p{L}))([^*\n]+)(?<=[^\s\\])\1(?![\p{LC}\p{N}*])/gu;

const markdownLink =
	/!?\[([^\][\n]+)\]\(((?:https?:\/\/|mailto:|tel:)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)/g;

const linkText = (_: string, text: string, link: string): string =>
	link.includes(text) ? link : `${text}: ${link}`;

/** The other Markdown that language models write, each kind with what remains of it. */
const marks: Array<[RegExp, string]> = [
	[/^```.*\n?/gm, ''],
	// A person's `# 1` is a number.
	[/^(?:#{2,6} +|# +(?=\p{L}|\*))/gmu, ''],
	[emphasis, '$2'],
	[emphasis, '$2'], // *in* another one
	[/(?<![\p{L}\p{N}_/=])__(?=[^\s_])([^_\n]+)(?<=\S)__(?![\p{L}\p{N}_.(/])/gu, '$1'],
	[/(?<![\p{L}\p{N}`])`([^`\n]+)`(?![\p{L}\p{N}`])/gu, '$1'],
];

/** Takes off Markdown, which an SMS shows as it is: `**Total:** [pay](https://…)` → `Total: pay: https://…`. */
function withoutMarkdown(text: string): string {
	const plain = marks.reduce((rest, [kind, left]) => rest.replace(kind, left), text);
	// A list with asterisks may be a person's, unless there was other Markdown.
	return plain === text ? text : plain.replace(/^([ \t]*)\*(?=[ \t])/gm, '$1-');
}
