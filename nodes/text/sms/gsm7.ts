/** The GSM 7 bit default alphabet (3GPP TS 23.038 §6.2.1) in the order of its codes, without the escape. */
const alphabet = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
		' !"#¤%&\'()*+,-./0123456789:;<=>?' +
		'¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
		'¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** Its extension table (§6.2.1.1): each character is an escape and a code. */
const extension = new Set('\f^{}\\[~]|€');

/** How many septets a character takes up; undefined: the alphabet does not have it. */
export function septetsOf(character: string): 1 | 2 | undefined {
	if (alphabet.has(character)) return 1;
	return extension.has(character) ? 2 : undefined;
}

export const isGsm7 = (text: string): boolean => firstOutside(text) === undefined;

/** The first character that the alphabet does not have; a whole one, also of two UTF-16 units. */
export function firstOutside(text: string): string | undefined {
	for (const character of text) if (!septetsOf(character)) return character;
	return undefined;
}
