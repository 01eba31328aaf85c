/**
 * No regular expression of what is published takes longer than its text: a long value would stop all of
 * n8n. expressions.json lists those that recheck has found linear, which takes seconds each, and those that
 * are not, with their bound.
 */
import { checkSync } from 'recheck';
import ts from 'typescript';
import { filesIn, read } from './files';

const known = JSON.parse(read('test/release/expressions.json')) as Record<string, string>;

/** Without a repetition that has no end, an expression is linear. */
const isEndless = (text: string): boolean =>
	/[*+]|\{\d+,\}/.test(text.replace(/\\[^]|\[(?:\\[^]|[^\]])*\]/g, 'x'));

function expressionsIn(file: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));
	return found;
}

const used = ['nodes', 'credentials']
	.flatMap((folder) => filesIn(folder, '.ts'))
	.flatMap(expressionsIn)
	.filter(isEndless);

/** Each is a finding: to be made linear, or listed with its bound. */
test('each expression is linear, or has its bound', () => {
	const unknown = [...new Set(used)].filter((text) => !Object.hasOwn(known, text));
	const slow = unknown.filter((text) => {
		const end = text.lastIndexOf('/');
		return (
			checkSync(text.slice(1, end), text.slice(end + 1), { timeout: 50_000 }).status !== 'safe'
		);
	});
	expect(slow).toEqual([]);
	expect(Object.keys(known).filter((text) => !used.includes(text))).toEqual([]);
});
