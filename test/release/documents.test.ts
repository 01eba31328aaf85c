import { existsSync } from 'node:fs';
import path from 'node:path';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { homepage, scripts } from '../../package.json';
import { filesIn, read, root } from './files';

const markdownIn = (folder: string) =>
	filesIn(folder, '.md').filter((name) => path.dirname(name) === path.normalize(folder));
const documents = [
	'',
	'docs',
	'docs/operations',
	'docs/events',
	'docs/internals',
	'test/e2e/trigger',
	'.github',
	'tools/sandbox',
]
	.flatMap(markdownIn)
	.concat('llms.txt');

const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '');

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');
const anchorsOf = (name: string) =>
	(withoutCode(read(name)).match(/^#+ .*$/gm) ?? []).map((line) =>
		anchorOf(line.replace(/^#+ /, '')),
	);

test.each(documents)('%s: links lead to something', (name) => {
	const links = [...withoutCode(read(name)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
	const broken = links
		.filter((link) => !/^(https?:|mailto:|\.\.\/\.\.\/security\/)/.test(link)) // the last is GitHub's
		.filter((link) => {
			const [file = '', anchor] = link.split('#');
			const target = file === '' ? name : path.join(path.dirname(name), file);
			if (!existsSync(path.join(root, target))) return true;
			return anchor !== undefined && !anchorsOf(target).includes(anchor);
		});
	expect(broken).toEqual([]);
});

test.each(documents)('%s: files and commands that it names are there', (name) => {
	const text = read(name);
	const files = [
		...text.matchAll(/`((?:nodes|credentials|examples|test|tools|docs|\.github)\/[\w./-]+\.\w+)`/g),
	]
		.map(([, file]) => file!)
		.filter((file) => !existsSync(path.join(root, file)));
	const commands = [...text.matchAll(/\bnpm run ([\w:]+)/g)]
		.map(([, script]) => script!)
		.filter((script) => !(script in scripts));
	expect({ files, commands }).toEqual({ files: [], commands: [] });
});

test.each(documents)('%s: no merge was left half done', (name) => {
	expect(read(name)).not.toMatch(/^(<{7}|={7}|>{7})( |$)/m);
});

/** As `wc -w` counts them, without what a command writes into a page. */
const wordsOf = (text: string) =>
	text
		.replace(/<!-- (\w+) -->[^]*<!-- end of \1 -->/, '')
		.trim()
		.split(/\s+/).length;
const wordsIn = (names: string[]) =>
	names.map((name) => wordsOf(read(name))).reduce((sum, words) => sum + words, 0);

const others = ['docs/guidelines.md', 'docs/interface.md']; // for reviewers; the service's own
const pages = markdownIn('docs').filter((name) => !others.includes(name));

/** Long pages are not read: details belong in docs/internals. */
test.each([
	['README', wordsIn(['README.md']), 780],
	['README before its first command', wordsOf(read('README.md').split('```')[0]!), 60],
	['pages for users', wordsIn(pages), 19_200],
])('%s: %d words, %d at most', (_, words, most) => {
	expect(words).toBeLessThanOrEqual(most);
});

test('docs/troubleshooting.md: what it quotes is in the code', () => {
	const code = filesIn('nodes', '.ts')
		.map((name) => read(name))
		.join('\n');
	const texts = [...read('docs/troubleshooting.md').matchAll(/^\| `(.+?)` \|/gm)].map(
		([, it]) => it!,
	);
	const parts = texts.flatMap((text) => text.split('…')).map((part) => part.trim());
	expect(texts.length).toBeGreaterThan(40);
	expect(parts.filter((part) => !code.includes(part))).toEqual([]);
});

test('every section of the interface that code and documents name is there', () => {
	const texts = ['nodes', 'credentials', 'tools/sandbox', 'docs']
		.flatMap((folder) => filesIn(folder))
		.filter((name) => /\.(ts|ya?ml|md)$/.test(name))
		.map((name) => read(name));
	const named = new Set(
		[...texts.join('\n').matchAll(/§(\d+(?:\.\d+)?)(?!\.?\d)/g)].map(([, one]) => one),
	);
	const page = read('docs/interface.md');
	const there = [...page.matchAll(/^(?:#+ (\d[\d.]*?)\.? |- \*\*(\d\.\d)\*\*)/gm)];
	expect(named.size).toBeGreaterThan(25);
	expect([...named].filter((one) => !there.some((found) => found.includes(one!)))).toEqual([]);
});

it("n8n's links to the documentation lead to a page", () => {
	const repository = `${homepage.replace(/#.*/, '')}/blob/main/`;
	const texts = filesIn('nodes', '.node.json').map((name) => read(name));
	const links = [...texts.join().matchAll(/"url": "([^"]+)"/g)].map(([, url]) => url!);
	links.push(new MessagingGatewayApi().documentationUrl);
	expect(links.length).toBeGreaterThan(6);
	const lost = links.filter(
		(link) =>
			!link.startsWith(repository) || !existsSync(path.join(root, link.slice(repository.length))),
	);
	expect(lost).toEqual([]);
});
