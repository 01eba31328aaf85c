import { isGsm7 } from './length';

/** Letters that Unicode does not decompose. */
const bases: Record<string, string> = {
	...{ Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', Ł: 'L', ł: 'l', Ŧ: 'T', ŧ: 't' },
	...{ ª: 'a', º: 'o' },
};

/** Replaces letters that GSM-7 lacks with base letters: `ã` → `a`, but not `é`, which it has. */
export function withoutAccents(text: string): string {
	return text.replace(/\p{L}\p{M}*/gu, (letter) => {
		const composed = letter.normalize('NFC'); // e and a combining mark are the é of GSM-7
		const base = letter.normalize('NFD').replace(/\p{M}/gu, '');
		return [composed, bases[base] ?? base].find(isGsm7) ?? letter;
	});
}
