import { removeAccents } from './accents';
import { capacities, measureSms, type SmsLength } from './length';

const gsm7 = capacities['GSM-7'];
const ucs2 = capacities['UCS-2'];

/** Why a text takes so many segments, and how to shorten it; in sentences. */
export function explainLength(text: string, { outside }: SmsLength): string[] {
	if (outside === undefined) {
		return [
			`One segment fits ${gsm7.alone} characters; in a longer text, each fits ${gsm7.part}. The characters ^ { } [ ] ~ \\ | and € count twice.`,
		];
	}
	const found = name(outside);
	return [
		`Because of ${found} at position ${text.indexOf(outside) + 1}, one segment fits ${ucs2.alone} characters instead of ${gsm7.alone}; in a longer text, each fits ${ucs2.part} instead of ${gsm7.part}.`,
		...replacementOf(outside),
		...effectOfRemoval(text),
	];
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

/** For characters that word processors and web pages use. */
const replacements: Array<[RegExp, string]> = [
	[/[‘’‚‛′`´]/, 'Replace it with a plain apostrophe.'],
	[/[“”„‟″«»]/, 'Replace it with a plain quotation mark.'],
	[/[\p{Pd}−•·]/u, 'Replace it with a plain hyphen.'],
	[/…/, 'Replace it with three full stops.'],
	[/[\t\p{Z}]/u, 'Replace it with a plain space.'],
	[/[\p{Cc}\p{Cf}\p{Cs}\p{S}]/u, 'Remove it.'],
];

const replacementOf = (character: string): string[] =>
	replacements
		.filter(([shape]) => shape.test(character))
		.slice(0, 1)
		.map(([, text]) => text);

function effectOfRemoval(text: string): string[] {
	const rest = removeAccents(text);
	if (rest === text) return [];
	const { segments, outside } = measureSms(rest);
	return [
		outside === undefined
			? `With 'Remove Accents' turned on, this text takes ${segments === 1 ? '1 segment' : `${segments} segments`}.`
			: `'Remove Accents' is not enough: ${name(outside)} remains.`,
	];
}
