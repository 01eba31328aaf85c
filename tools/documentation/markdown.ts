/** Line breaks and bars in cells are escaped. */
export const table = (columns: string[], rows: string[][]): string =>
	[
		columns,
		columns.map(() => '---'),
		...rows.map((row) =>
			row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', '<br>').trim()),
		),
	]
		.map((row) => `| ${row.join(' | ')} |`)
		.join('\n');

/** Inline code, with more backticks around it than it contains. */
export function code(text: string): string {
	const ticks = '`'.repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)));
	const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
	return ticks + space + text + space + ticks;
}

/** Escapes a text of the form for Markdown. */
export const plain = (text: string): string =>
	text
		.replaceAll(/<\/?b>/g, '**') // in n8n's notices
		.replaceAll(/<a href="([^"]+)">([^<]+)<\/a>/g, '[$2]($1)')
		.replaceAll(/[<>\\]/g, (sign) => ({ '<': '&lt;', '>': '&gt;' })[sign] ?? `\\${sign}`);

/** The non-empty parts, separated by blank lines. */
export const paragraphs = (...parts: Array<string | undefined>): string =>
	parts.filter((part) => part !== undefined && part !== '').join('\n\n');

export const page = (...parts: Array<string | undefined>): string => `${paragraphs(...parts)}\n`;

export const json = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

export const fenced = (language: string, text: string): string =>
	['```' + language, text, '```'].join('\n');
