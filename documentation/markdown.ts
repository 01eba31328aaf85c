/** A table; line breaks and bars in its cells are written so that they stay in them. */
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

/** As it is typed; more backticks around it than it holds. */
export function code(text: string): string {
	const ticks = '`'.repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)));
	const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
	return ticks + space + text + space + ticks;
}

/** A text of the form's: what Markdown would take for a sign of its own stays as it is. */
export const plain = (text: string): string =>
	text
		.replaceAll(/<\/?b>/g, '**') // n8n's notices may hold it
		.replaceAll(/[<>\\]/g, (sign) => ({ '<': '&lt;', '>': '&gt;' })[sign] ?? `\\${sign}`);

/** The parts that are there, with a line between them. */
export const paragraphs = (...parts: Array<string | undefined>): string =>
	parts.filter((part) => part !== undefined && part !== '').join('\n\n');

export const page = (...parts: Array<string | undefined>): string => `${paragraphs(...parts)}\n`;

export const json = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

export const fenced = (language: string, text: string): string =>
	['```' + language, text, '```'].join('\n');
