/** Adds a full stop if there is none, not even within quotation marks: `"Sem saldo."` */
export const asSentence = (text: string): string =>
	/[.!?…]["')]*$/.test(text) ? text : `${text}.`;

/** Matches what a sentence may contain without ending: quotations, values and expressions. */
const quotations = /"[^"]*"|(?<!\w)'[^']*'(?!\w)|\{\{[^{}]*\}\}/g;

/** Matches the end of a sentence and the space behind it. Another begins with n8n or no small letter. */
const sentenceEnd = /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?]["')]*\s+(?=n8n|[^\p{Ll}\s])/gu;

export function sentencesOf(text: string): string[] {
	const masked = text.replace(
		quotations,
		(found) => found.slice(0, -2).replace(/[.!?]/g, '_') + found.slice(-2),
	);
	const ends = Array.from(masked.matchAll(sentenceEnd), ({ 0: end, index }) => index + end.length);
	return [0, ...ends].map((start, at) => text.slice(start, ends[at]).trim()).filter(Boolean);
}

/** Returns the first three sentences of what may be said about an error, each of them once. */
export const firstThreeSentences = (...texts: Array<string | false | null | undefined>): string =>
	[...new Set(texts.flatMap((text) => (text ? sentencesOf(text) : [])))].slice(0, 3).join(' ');

/** Returns an error's message and description as one text. */
export const withHint = (error: { message: string; description?: string | null }): string =>
	[asSentence(error.message), error.description].filter(Boolean).join(' ');
