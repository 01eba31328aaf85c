/** The folders import each other in one direction: `.dependency-cruiser.cjs` says in which. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';
import { parse } from 'yaml';

const root = path.join(__dirname, '../..');
const folders = ['nodes', 'credentials', 'tools'];

/** All but the types that are generated. */
const sourcesOf = (folder: string): string[] =>
	(readdirSync(path.join(root, folder), { recursive: true }) as string[])
		.filter((name) => name.endsWith('.ts') && !name.endsWith('interface.ts'))
		.map((name) => path.posix.join(folder, name));

it('keeps the directions of the folders, without a circle', () => {
	const cli = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
	const output = execFileSync(process.execPath, [cli, ...folders, '--output-type', 'json'], {
		cwd: root,
		encoding: 'utf8',
		maxBuffer: 2 ** 28,
	});
	const { modules, summary } = JSON.parse(output) as ICruiseResult;
	expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual(
		[],
	);
	const sources = modules.filter(({ source }) => /^nodes\/.*\.ts$/.test(source));
	const files = readdirSync(path.join(root, 'nodes'), { recursive: true }) as string[];
	expect(sources).toHaveLength(files.filter((name) => name.endsWith('.ts')).length);
});

const { paths } = parse(readFileSync(path.join(root, 'docs/openapi.yaml'), 'utf8')) as {
	paths: Record<string, unknown>;
};
/** Of the same operations in code: the chat app's name is the account's. */
const written = new Set(
	Object.keys(paths).map((each) => each.replace('/v2/chatapp', '').replace(/\/?\{\w+\}$/, '')),
);

it.each([...written])('the path %s stands in one file, its endpoint', (each) => {
	const inCode = new RegExp(`['\`]${each}['\`/]`);
	const homes = sourcesOf('nodes').filter((file) => {
		const code = readFileSync(path.join(root, file), 'utf8').replace(/\/\*[^]*?\*\//g, '');
		return inCode.test(code);
	});
	expect(homes).toEqual([expect.stringMatching(/^nodes\/gateway\/endpoints\/\w+\.ts$/)]);
});
