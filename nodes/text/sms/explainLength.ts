import { capacities, type SmsLength } from './length';

const gsm7 = capacities['GSM-7'];
const ucs2 = capacities['UCS-2'];

/** Why a text takes so many segments; in sentences. */
export const explainLength = (text: string, { outside }: SmsLength): string =>
	outside === undefined
		? `One segment fits ${gsm7.alone} characters; in a longer text, each fits ${gsm7.part}. Characters such as €, [ and { count twice.`
		: `Because of ${name(outside)} at position ${text.indexOf(outside) + 1}, one segment fits ${ucs2.alone} characters instead of ${gsm7.alone}; in a longer text, each fits ${ucs2.part} instead of ${gsm7.part}. 'Remove Accents' and 'Plain Characters' in the options replace accents and typographic characters.`;

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
