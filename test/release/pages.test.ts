/** Pages that are made from the code: none can go stale, be missing or be left over. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { allPages, generatedFolders } from '../../tools/documentation/pages';
import { filesIn, read, root } from './files';

describe('npm run docs', () => {
	let pages: Map<string, string>;
	beforeAll(async () => {
		pages = await allPages();
	});

	it('would write what is there', () => {
		const stale = [...pages].filter(
			([file, text]) => !existsSync(path.join(root, file)) || read(file) !== text,
		);
		expect(stale.map(([file]) => file)).toEqual([]);
	});

	it('would leave nothing over', () => {
		expect(
			generatedFolders.flatMap((each) => filesIn(each)).filter((file) => !pages.has(file)),
		).toEqual([]);
	});
});

describe('figures that other pages tell', () => {
	const measured = filesIn('docs/measurements')
		.map((name) => read(name))
		.join('\n');

	it('docs/figures.md compares what the benchmarks have written', () => {
		const [, section = ''] = read('docs/figures.md').split(/^## /m);
		const figures = section.match(/(?<![\w.])\d+(\.\d+| MB)(?![\w.])/g) ?? [];
		expect(figures.length).toBeGreaterThanOrEqual(9);
		const isThere = (figure: string) =>
			new RegExp(`(?<![\\d.])${figure.replace('.', '\\.')}(?![\\d.]*\\d)`).test(measured);
		expect(figures.filter((figure) => !isThere(figure))).toEqual([]);
	});

	it("README's table is what they have printed", () => {
		const [, table = ''] = read('README.md').split(/^## /m);
		const cells = [...table.matchAll(/(?<=\| )\**(\d[\d.]*)(?: s)?\**(?= \|)/g)];
		expect(cells.length).toBe(11);
		const isThere = (figure: string) =>
			new RegExp(`\\| ${figure.replace('.', '\\.')} [(|]`).test(measured);
		expect(cells.map(([, figure]) => figure!).filter((figure) => !isThere(figure))).toEqual([]);
	});
});

it('npm run bench -- --draw would write the page that is there', () => {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'pages-'));
	try {
		const args = ['tools/bench/run.ts', '--draw', '--folder', folder];
		execFileSync(path.join(root, 'node_modules/.bin/tsx'), args, { cwd: root, stdio: 'pipe' });
		const written = readFileSync(path.join(folder, 'benchmarks.md'), 'utf8');
		expect(written).toBe(read('docs/measurements/benchmarks.md'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});

it('npm run generate would write the types that are there', () => {
	const command = path.join(root, 'node_modules/.bin/openapi-typescript');
	const args = ['docs/openapi.yaml', '--output', 'nodes/service/interface.ts', '--check'];
	execFileSync(command, args, { cwd: root, stdio: 'pipe' });
});
