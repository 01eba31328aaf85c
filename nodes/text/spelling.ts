/**
 * Finds the number in what was entered: its `text` without what is beside it, the `number` without the prefix
 * of an international one, and what it may be by its `shape`.
 */
export function readSpelling(entered: string) {
	const whole = entered.length > longestEnteredNumber ? '' : normalize(entered);
	const [fullest, ...others] = separateNumbers(whole);
	// `011 91234-5678` is `+55 11 91234-5678`.
	const digits = others.map((other) => digitsOf(other).replace(/^0+/, ''));
	const isList = !digits.every((each) => digitsOf(fullest).endsWith(each));
	const text = roundedShape.test(fullest) ? fullest : numberIn(fullest);
	const number = text.replace(internationalPrefix, '');
	if (isList) return { text, number, shape: 'list' as const };
	if (roundedShape.test(text)) return { text, number, shape: 'rounded' as const };
	const isOther = !numberCharacters.test(text) || severalParts.test(number) || lookalike.test(text);
	return { text, number, shape: isOther ? ('other' as const) : ('number' as const) };
}

/** Removes marks of the writing direction, and unifies digits, dashes, and what links and chat apps put around. */
function normalize(entered: string): string {
	let text = entered
		.replace(/\p{Cf}/gu, '')
		.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0)!)))
		.replace(/[\p{Pd}\u2212\u30fc]|(?<=\d)~(?=\d)/gu, '-')
		.replace(/\[(\d{1,5})\]/g, '($1)')
		.replaceAll('_', ' ')
		.trim();
	for (const [shape, number] of wrappings) text = text.replace(shape, number);
	return text;
}

/** Returns the value of a digit: Unicode has those of a script in a row, from 0 to 9. */
const digitValue = (code: number): number =>
	/\p{Nd}/u.test(String.fromCodePoint(code - 1)) ? (digitValue(code - 1) + 1) % 10 : 0;

/** Matches what is no part of a number, or names one with its country code: a link, an address of a chat app. */
const wrappings: Array<[shape: RegExp, number: string]> = [
	[/^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}\/\+?(\d+)\/?(?:\?.*)?$/i, '+$1'],
	[/^[^\s?]{1,99}\?(?:[^?]{0,500}&)?phone=(?:\+|%2B)?(\d{1,15})(?:[&#].{0,900})?$/i, '+$1'],
	[/^\+?(\d+)(?::\d+)?@(?:c\.us|s\.\w+\.net)$/i, '+$1'],
	[/(?<!\d)0[\s(-]*(?:xx|\*\*)[\s()-]*(?=\d\d)/i, '0'], // Brazil's place for a carrier's code
	[/^(\+?\d{8,})\.0{1,2}$/, '$1'], // as programs write whole numbers
	[/^([1-9][\d -]{6,20})\+$/, '+$1'], // as Arabic lists have it
	// All digits are there, as Java writes them: 5.511912345678E12
	[/^(\d)[.,](\d{10}(?=e\+?10)|\d{11}(?=e\+?11)|\d{12}(?=e\+?12))e\+?\d\d$/i, '$1$2'],
];

/**
 * Returns the number in a text without the words and marks beside it: `Cel. …`, `Ana <+55 …>`, `="+55…"`.
 * Returns all of a text that may be something else.
 */
function numberIn(text: string): string {
	const [, before = '', number = text, after = ''] =
		numberWithPlus.exec(text.replace(/\++/, '+')) ??
		/^(\D{0,200}?)((?:\(\p{Zs}*)?\d(?:.*\d)?)(\D*)$/u.exec(text) ??
		[];
	const isAlone =
		(number.includes('+') || besideNumber.test(before + after)) &&
		digitsOf(before).length < fewestDigits &&
		!touching.test(`${before}${number[0]}`) &&
		!/^\p{LC}/u.test(after);
	return isAlone ? number : text;
}

/** Words, emojis and marks, but none of a link, an address, a sum or a taxpayer's number. */
const besideNumber =
	/^(?:(?![@#%&\\?]|\/\/|c(?:pf|npj)\b)[\p{L}\p{M}\p{So}\p{Sk}=<>|~\p{P}\d\s])*$/iu;

/** Matches a number with a + that is in no address or sum; the query of a link is none of it. */
const numberWithPlus =
	/^([^+@\p{Sc}]{0,200}?)(\(?\p{Zs}{0,9}\+[^+?]{0,60}\d)([^\d@\p{Sc}\p{No}]{0,900})(?:\?[^]{0,900})?$/u;

/** Matches what makes a number another one: digits before its +, letters of an ID, a sign or a point before its digits. */
const touching = /\d\s*[\s(+]$|[\p{LC},/-]\d$|(?<!\p{L})\.\d$/u;

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** `+`, `00` or both, before the country code: `(00)` is an area code that nobody entered, `0011` Australia's `00`. */
const internationalPrefix = /^(?!\(00\))\(?\p{Zs}*(?:(?:\++\p{Zs}*)?00(?!\p{Zs}*11)|\++)\p{Zs}*/u;

/** Matches a zero that is only for calls within the country, or belongs to the number. */
export const zeroInBrackets = /\(\p{Zs}*0\p{Zs}*\)/u;

/** Returns what may be numbers of their own in a text, the fullest first; the whole text unless there are several. */
function separateNumbers(text: string): [string, ...string[]] {
	const [first, ...others] = text
		.split(separator)
		.filter((part) => digitsOf(part).length >= fewestDigits)
		.sort((one, other) => fullness(other) - fullness(one));
	return first !== undefined && others.length > 0 ? [first, ...others] : [text];
}

/** Counts digits, a + as another one. */
const fullness = (number: string): number => number.replace(/[^\d+]/g, '').length;

/** Matches what is between numbers: brackets and a slash only far from both ends, as they also stand around an area code. */
const separator =
	/[,;:|&\n]|\s(?:(?:ou|or|o|oder|e|y|and|und)\s|(?=\+))|(?<=(?:\d\D*){8})[(/](?=(?:\D*\d){8})/i;

/** The fewest digits of a number: fewer are an extension or a part of one. */
const fewestDigits = 7;

/** Longer texts, in characters, are not even looked at: none of the expressions here meets more. */
const longestEnteredNumber = 1_000;

/** Digits and what people write between them; plus only in front. */
const numberCharacters = /^[(\p{Zs}]*\+*[(\p{Zs}]*\d(?:[\d\p{Zs}\r\n()./-]*[\d)])?$/u;

/**
 * Six zeros behind six digits or more: 5.51191E+12, later read as 5511910000000. A number that really
 * ends so can still be written with spaces.
 */
const roundedShape = /^\+?(?:00)?[1-9](?:(?:[.,]\d+)?e\+?\d+|\d{5,}0{6})$/i;

/** Matches values that could be read as somebody's number. */
const lookalike = new RegExp(
	[
		/^(?!00)\d{7,}\.\d+$|\.\d$/, // decimals
		/^(?:19|20)\d\d(?<a>[-./])\d{1,2}\k<a>\d{1,2}(?:\s+\d{1,2}(?:\.\d\d){1,2})?$/, // dates
		/^(?:0?[1-9]|[12]\d|3[01])(?<b>[-./])(?:0?[1-9]|[12]\d|3[01])\k<b>(?:19|20)\d\d(?:\s+\d{1,2}(?:\.\d\d){1,2})?$/,
		/^(?=(?:.*\d{3}){2})(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/, // IP addresses
		/^\d{3}\.\d{3}\.\d{3}-\d\d$/, // Brazil's CPF; a CNPJ counts as several parts
	]
		.map(({ source }) => source)
		.join('|'),
);

/** Far back, brackets, slashes and line breaks begin an extension or a second number. */
const severalParts = /(?:\d\D*){8}[()/\n]|[()/\n]\D*(?:\d\D*){0,3}$/;
