import { removeAccents } from './accents';
import { capacities, firstOutside, isGsm7, measureSms, septetsOf, type SmsLength } from './length';
import { plainCharacters, withoutSpecials } from './plain';

const gsm7 = capacities['GSM-7'];
const ucs2 = capacities['UCS-2'];

/** Why a text takes so many segments, and how to shorten it; in sentences. */
export function explainLength(text: string, { segments, outside }: SmsLength): string[] {
	if (outside === undefined) {
		return [
			`One segment fits ${gsm7.alone} characters; in a longer text, each fits ${gsm7.part}.`,
			...doubleOf(text),
		];
	}
	const remaining = remainingOf(text);
	const costliest = remaining[0] ?? outside; // what no option replaces
	const reason = `Because of ${name(costliest)} at position ${text.indexOf(costliest) + 1}, one segment fits ${ucs2.alone} characters instead of ${gsm7.alone}; in a longer text, each fits ${ucs2.part} instead of ${gsm7.part}.`;
	// Nobody writes without the letters of an alphabet; an emoji can be left out.
	const isNeeded = remaining.some((character) => /\p{L}/u.test(character));
	const [removal, rest] = removalOf(text, isNeeded ? [] : remaining);
	const { options, ...shortest } = shortestOf(rest);
	if (shortest.segments >= segments) return [reason];
	const how = [
		...removal,
		...(options.length > 0 ? [`with ${options.join(' and ')} turned on`] : []),
	].join(' and ');
	return [
		reason,
		`${how[0]!.toUpperCase()}${how.slice(1)}, this text takes ${shortest.segments === 1 ? '1 segment' : `${shortest.segments} segments`}.`,
	];
}

/** The character that counts twice most often. */
function doubleOf(text: string): string[] {
	const doubles = Array.from(text).filter((character) => septetsOf(character) === 2);
	const countOf = (double: string) => doubles.filter((other) => other === double).length;
	const [most] = [...new Set(doubles)].sort((a, b) => countOf(b) - countOf(a));
	return most === undefined
		? []
		: [`${name(most)} counts twice each time, ${countOf(most)} times here.`];
}

/** The characters that no option replaces: an emoji, or a letter of another alphabet. */
function remainingOf(text: string): string[] {
	const letters = text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
	const others = letters.filter((letter) => !isGsm7(withoutSpecials(removeAccents(letter))));
	return [...new Set(others.map((letter) => firstOutside(letter)!))];
}

/** How the text without those is described, and that text. */
function removalOf(text: string, [first, ...others]: string[]): [string[], string] {
	if (first === undefined) return [[], text];
	const rest = [first, ...others].reduce((less, character) => less.replaceAll(character, ''), text);
	const joined = /[\p{Default_Ignorable_Code_Point}]/gu; // emoji of several parts
	return [
		[others.length > 0 ? 'without it and the others like it' : 'without it'],
		rest.replace(joined, ''),
	];
}

/** With the fewest options. */
function shortestOf(text: string): { options: string[]; segments: number } {
	const accents = removeAccents(text);
	return [
		{ options: [], text },
		{ options: ["'Plain Characters'"], text: plainCharacters(text) },
		{ options: ["'Remove Accents'"], text: accents },
		{ options: ["'Plain Characters'", "'Remove Accents'"], text: plainCharacters(accents) },
	]
		.map((way) => ({ options: way.options, segments: measureSms(way.text).segments }))
		.reduce((best, way) => (way.segments < best.segments ? way : best));
}

function name(character: string): string {
	const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	const [, kind = `"${character}"`] = invisible.find(([shape]) => shape.test(character)) ?? [];
	return `${kind} (U+${point})`;
}

/** Would be invisible in quotation marks. */
const invisible: Array<[RegExp, string]> = [
	[/\t/, 'a tab'],
	[/\p{Z}/u, 'a non-standard space'],
	[/[\p{Cc}\p{Cf}\p{Cs}]/u, 'an invisible character'],
	[/\p{M}/u, 'a combining mark'],
];
