/** The GSM 7 bit default alphabet (3GPP TS 23.038 §6.2.1), without the escape. */
const alphabet = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
		' !"#¤%&\'()*+,-./0123456789:;<=>?' +
		'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
		'¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** The extension table (§6.2.1.1): an escape and a code each. */
const extension = new Set('\f^{}\\[~]|€');

/** Septets of a character; undefined if the alphabet lacks it. */
export function septetsOf(character: string): 1 | 2 | undefined {
	if (alphabet.has(character)) return 1;
	return extension.has(character) ? 2 : undefined;
}

export const isGsm7 = (text: string): boolean => firstOutside(text) === undefined;

/** The first whole character that the alphabet lacks. */
export function firstOutside(text: string): string | undefined {
	for (const character of text) if (!septetsOf(character)) return character;
	return undefined;
}

/** What an SMS of this text costs (3GPP TS 23.038, TS 23.040 §9.2.3.24.1). */
export interface SmsLength {
	encoding: 'GSM-7' | 'UCS-2';
	segments: number;
	/** The first character that GSM-7 lacks, the reason for UCS-2. */
	outside?: string;
}

/** What fits into a single segment and into each of several, in septets or UTF-16 units. */
export const capacities = {
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
	for (const character of text) {
		const width = encoding === 'GSM-7' ? septetsOf(character)! : character.length;
		total += width;
		if (used + width > part) {
			parts++;
			used = 0;
		}
		used += width;
	}
	return total <= alone ? 1 : parts;
}
