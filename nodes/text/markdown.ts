/** Matches asterisks around words, and two around anything: not in `5*3*2`, `*123*1#` or at a footnote. */
const emphasis =
	/(?<![\p{L}\p{N}*\\])(\*{1,3})(?=[^\s*])(?:(?<=\*\*)|(?=[^*\n]*\p{L}))([^*\n]+)(?<=[^\s\\])\1(?![\p{L}\p{N}*])/gu;

/** The Markdown that language models write, each kind with what remains of it. */
const kinds: Array<[RegExp, string | ((...found: string[]) => string)]> = [
	[/^```.*\n?/gm, ''],
	// A person's `# 1` is a number.
	[/^(?:#{2,6} +|# +(?=\p{L}|\*))/gmu, ''],
	[
		/!?\[([^\][\n]+)\]\(((?:https?:\/\/|mailto:|tel:)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)/g,
		(_, text, link) => (link!.includes(text!) ? link! : `${text}: ${link}`),
	],
	[emphasis, '$2'],
	[emphasis, '$2'], // *in* another one
	[/(?<![\p{L}\p{N}_/])__(?=[^\s_])([^_\n]+)(?<=\S)__(?![\p{L}\p{N}_.(/])/gu, '$1'],
	[/(?<![\p{L}\p{N}`])`([^`\n]+)`(?![\p{L}\p{N}`])/gu, '$1'],
];

/** Takes off Markdown, which an SMS shows as it is: `**Total:** [pay](https://…)` → `Total: pay: https://…`. */
export function withoutMarkdown(text: string): string {
	const plain = kinds.reduce(
		(rest, [kind, remains]) => rest.replace(kind, remains as string),
		text,
	);
	// A list with asterisks may be a person's, unless there was other Markdown.
	return plain === text ? text : plain.replace(/^([ \t]*)\*(?=[ \t])/gm, '$1-');
}
