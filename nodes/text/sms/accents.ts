import { isGsm7 } from './length';

/** Letters with a stroke, without a dot or raised: Unicode does not take them apart. */
const bases: Record<string, string> = {
	...{ Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', Ł: 'L', ł: 'l', Ŧ: 'T', ŧ: 't' },
	...{ ª: 'a', º: 'o' },
};

/**
 * A text whose letters are of GSM-7 wherever one of their own base letters is: `ã` → `a`, `ç` → `c`.
 * Letters that GSM-7 has stay, e.g. `é` and `Ç`; so does all that is no letter, e.g. an emoji, or
 * has no base letter there.
 */
export function removeAccents(text: string): string {
	return text.replace(/\p{L}\p{M}*/gu, (letter) => {
		const composed = letter.normalize('NFC'); // an e and a mark are the é that GSM-7 has
		const base = letter.normalize('NFD').replace(/\p{M}/gu, '');
		return [composed, bases[base] ?? base].find(isGsm7) ?? letter;
	});
}
