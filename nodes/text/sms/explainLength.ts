import { capacities, type SmsLength } from './length';

const gsm7 = capacities['GSM-7'];
const ucs2 = capacities['UCS-2'];

/** Why a text takes so many segments; in sentences. */
export const explainLength = (text: string, { outside }: SmsLength): string =>
	outside === undefined
		? `One segment fits ${gsm7.alone} characters; in a longer text, each fits ${gsm7.part}. Characters such as €, [ and { count twice.`
		: `Because of ${name(outside)} at position ${text.indexOf(outside) + 1}, one segment fits ${ucs2.alone} characters instead of ${gsm7.alone}; in a longer text, each fits ${ucs2.part} instead of ${gsm7.part}. 'Characters' in the options replaces accents and typographic characters.`;

function name(character: string): string {
	const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	const isVisible = /^[^\p{Z}\p{C}\p{M}]/u.test(character);
	return `${isVisible ? `"${character}"` : 'an invisible character'} (U+${point})`;
}
