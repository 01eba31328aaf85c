/** Characters without anything to see; U+2800 is a braille pattern without dots. */
const unseen = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export const isVisible = (text: string): boolean => text.replace(unseen, '') !== '';

/** Whether letters are shown in a different order than written: `enilceD` as `Decline`. */
export const isReordered = (text: string): boolean => /[\u202d\u202e]/.test(text);

/** Cyrillic and Greek letters, and the Latin ones that look the same. */
const others = 'АВЕЅІЈКМНОРСТХаеѕіјорсухԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲ';
const latin = 'ABESIJKMHOPCTXaesijopcyxdqwABEZHIKMNOPTYXoc';

/** Equal for texts that look the same. */
export function looksOf(text: string): string {
	const letters = [...text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')].map(
		(letter) => latin[others.indexOf(letter)] ?? letter,
	);
	return letters.join('').replace(unseen, ' ').replace(/ +/g, ' ').trim();
}
