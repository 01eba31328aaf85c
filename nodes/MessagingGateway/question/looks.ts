/** How a text looks to a person, who decides by that. */

/** What takes up room, or none, and shows nothing; U+2800 is a braille pattern without a dot. */
const unseen = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether there is anything to see. */
export const isVisible = (text: string): boolean => text.replace(unseen, '') !== '';

/** Whether letters are shown in another order than they are written: `enilceD` as `Decline`. */
export const isReordered = (text: string): boolean => /[\u202d\u202e]/.test(text);

/** Cyrillic and Greek letters, and the Latin ones that nobody can tell them from. */
const others = 'АВЕЅІЈКМНОРСТХаеѕіјорсухԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲ';
const latin = 'ABESIJKMHOPCTXaesijopcyxdqwABEZHIKMNOPTYXoc';

/** The same for two texts that cannot be told apart by eye. */
export function looksOf(text: string): string {
	const letters = [...text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')].map(
		(letter) => latin[others.indexOf(letter)] ?? letter,
	);
	return letters.join('').replace(unseen, ' ').replace(/ +/g, ' ').trim();
}
