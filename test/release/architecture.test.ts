/** The folders import each other in one direction: `.dependency-cruiser.cjs` says in which. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';

const root = path.join(__dirname, '../..');
const folders = [
	'nodes',
	'credentials',
	'bench',
	'documentation',
	'host',
	'release',
	'sandbox',
	'testing',
];

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
