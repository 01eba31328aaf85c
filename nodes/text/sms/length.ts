/** The GSM 7 bit default alphabet (3GPP TS 23.038 §6.2.1), without the escape. */
const alphabet =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
	' !"#¤%&\'()*+,-./0123456789:;<=>?' +
	'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
	'¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The extension table (§6.2.1.1): an escape and a code each. */
const extension = '\f^{}\\[~]|€';

const anyOf = (characters: string) => characters.replace(/[\\\]^-]/g, '\\$&');
const neither = new RegExp(`[^${anyOf(alphabet + extension)}]`, 'u');

/** Septets of a character; undefined if the alphabet lacks it. */
export function septetsOf(character: string): 1 | 2 | undefined {
	if (alphabet.includes(character)) return 1;
	return extension.includes(character) ? 2 : undefined;
}

export const isGsm7 = (text: string): boolean => !neither.test(text);

/** The first whole character that the alphabet lacks. */
export const firstOutside = (text: string): string | undefined => neither.exec(text)?.[0];

/** What an SMS of this text costs (3GPP TS 23.038, TS 23.040 §9.2.3.24.1). */
export interface SmsLength {
	encoding: 'GSM-7' | 'UCS-2';
	segments: number;
	/** The first character that GSM-7 lacks, the reason for UCS-2. */
	outside?: string;
}

/** What fits into a single segment and into each of several, in septets or UTF-16 units. */
const capacities = {
	'GSM-7': { alone: 160, part: 153 },
	'UCS-2': { alone: 70, part: 67 },
};

/** Ignores the national language tables (Annex A), which hardly any service uses. */
export function measureSms(text: string): SmsLength {
	const outside = firstOutside(text);
	return outside === undefined
		? { encoding: 'GSM-7', segments: countSegments(text, 'GSM-7') }
		: { encoding: 'UCS-2', segments: countSegments(text, 'UCS-2'), outside };
}

/** Neither an escape sequence nor a surrogate pair is split. */
function countSegments(text: string, encoding: SmsLength['encoding']): number {
	const { alone, part } = capacities[encoding];
	let total = 0;
	let parts = 1;
	let used = 0;
	for (let at = 0, units = 1; at < text.length; at += units) {
		units = text.codePointAt(at)! > 0xffff ? 2 : 1;
		const width = encoding === 'GSM-7' && extension.includes(text[at]!) ? 2 : units;
		if (used + width > part) {
			parts++;
			used = 0;
		}
		used += width;
		total += width;
	}
	return total <= alone ? 1 : parts;
}

const gsm7 = capacities['GSM-7'];
const ucs2 = capacities['UCS-2'];

/** Why a text takes so many segments; in sentences. */
export const explainLength = (text: string, { outside }: SmsLength): string =>
	outside === undefined
		? `One segment fits ${gsm7.alone} characters; in a longer text, each fits ${gsm7.part}. Characters such as €, [ and { count twice.`
		: `Because of ${name(outside)} at position ${text.indexOf(outside) + 1}, one segment fits ${ucs2.alone} characters instead of ${gsm7.alone}; in a longer text, each fits ${ucs2.part} instead of ${gsm7.part}.`;

function name(character: string): string {
	const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	const isVisible = /^[^\p{Z}\p{C}\p{M}]/u.test(character);
	return `${isVisible ? `"${character}"` : 'an invisible character'} (U+${point})`;
}
