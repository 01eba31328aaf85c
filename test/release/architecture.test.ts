/** The folders import each other in one direction: `.dependency-cruiser.cjs` says in which. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';
import { parse } from 'yaml';
import { filesIn, read, root } from './files';

const folders = ['nodes', 'credentials', 'tools'];

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
	expect(sources).toHaveLength(filesIn('nodes', '.ts').length);
});

const { paths } = parse(read('docs/openapi.yaml')) as { paths: Record<string, unknown> };
/** Of the same operations in code: the chat app's name is the account's. */
const written = new Set(
	Object.keys(paths).map((each) => each.replace('/v2/chatapp', '').replace(/\/?\{\w+\}$/, '')),
);

it.each([...written])('the path %s stands in one file, its endpoint', (each) => {
	const inCode = new RegExp(`['\`]${each}['\`/]`);
	const homes = filesIn('nodes', '.ts')
		.filter((file) => !file.endsWith('interface.ts'))
		.filter((file) => inCode.test(read(file).replace(/\/\*[^]*?\*\//g, '')));
	expect(homes).toEqual([expect.stringMatching(/^nodes\/service\/endpoints\/\w+\.ts$/)]);
});
