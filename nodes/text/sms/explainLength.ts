import { removeAccents } from './accents';
import { capacities, measureSms, type SmsLength } from './length';

const gsm7 = capacities['GSM-7'];
const ucs2 = capacities['UCS-2'];

/** Why a text takes as many segments as it does, and what would make it shorter; in sentences. */
export function explainLength(text: string, { outside }: SmsLength): string[] {
	if (outside === undefined) {
		return [
			`A text of one segment holds ${gsm7.alone} characters, and each of several ${gsm7.part}; ^ { } [ ] ~ \\ | and € count twice.`,
		];
	}
	const found = name(outside);
	const which = `${found.charAt(0).toUpperCase()}${found.slice(1)} at position ${text.indexOf(outside) + 1}`;
	return [
		`${which} cuts a text of one segment from ${gsm7.alone} to ${ucs2.alone} characters, and each of several from ${gsm7.part} to ${ucs2.part}.`,
		...replacementOf(outside),
		...effectOfRemoval(text),
	];
}

/** A space or a mark could not be seen between quotation marks. */
function name(character: string): string {
	const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	const [, kind = `"${character}"`] = unseen.find(([shape]) => shape.test(character)) ?? [];
	return `${kind} (U+${point})`;
}

const unseen: Array<[RegExp, string]> = [
	[/\t/, 'a tab'],
	[/\p{Z}/u, 'a space of another kind'],
	[/[\p{Cc}\p{Cf}\p{Cs}]/u, 'an invisible character'],
	[/\p{M}/u, 'a combining mark'],
];

/** What word processors and web pages put in place of it is in GSM-7. */
const plain: Array<[RegExp, string]> = [
	[/[‘’‚‛′`´]/, 'Put a plain apostrophe in its place.'],
	[/[“”„‟″«»]/, 'Put a plain quotation mark in its place.'],
	[/[\p{Pd}−•·]/u, 'Put a plain hyphen in its place.'],
	[/…/, 'Put three full stops in its place.'],
	[/[\t\p{Z}]/u, 'Put a plain space in its place.'],
	[/[\p{Cc}\p{Cf}\p{Cs}\p{S}]/u, 'Leave it out.'],
];

const replacementOf = (character: string): string[] =>
	plain
		.filter(([shape]) => shape.test(character))
		.slice(0, 1)
		.map(([, text]) => text);

/** Nothing where there is none, as when the accents are gone already. */
function effectOfRemoval(text: string): string[] {
	const rest = removeAccents(text);
	if (rest === text) return [];
	const { segments, outside } = measureSms(rest);
	return [
		outside === undefined
			? `With 'Remove Accents' in the options, this text takes ${segments === 1 ? '1 segment' : `${segments} segments`}.`
			: `'Remove Accents' in the options is not enough: it leaves ${name(outside)}.`,
	];
}
