import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const scanner = path.join(__dirname, '../../tools/release/scan.mjs');
const folder = mkdtempSync(path.join(os.tmpdir(), 'release-scan-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the scanner says of the package, and what it leaves in the folder for temporary files. */
function scan(name: string, ...patterns: string[]) {
	const temporary = path.join(folder, `${name}-temporary`);
	mkdirSync(temporary);
	const { status, stdout } = spawnSync(
		process.execPath,
		[scanner, path.join(folder, 'package'), ...patterns],
		{ encoding: 'utf8', env: { ...process.env, TMPDIR: temporary } },
	);
	return { status, stdout, left: readdirSync(temporary) };
}

beforeAll(() => {
	const files = {
		'package.json': JSON.stringify({ name: 'n8n-nodes-any', dependencies: { luxon: '^3' } }),
		'evil.js': 'module.exports = process.env.HOME;\n',
	};
	mkdirSync(path.join(folder, 'package'));
	for (const [name, text] of Object.entries(files)) {
		writeFileSync(path.join(folder, 'package', name), text);
	}
});

test('a package is told what it does not meet, and no file is left behind', () => {
	const { status, stdout, left } = scan('sources');
	expect(status).toBe(1);
	expect(stdout).toContain('dependencies');
	expect(stdout).not.toContain('evil.js');
	expect(left).toEqual([]);
});

test('the files that are asked for are looked at', () => {
	const { status, stdout, left } = scan('tarball', '**/*.js');
	expect(status).toBe(1);
	expect(stdout).toContain('evil.js');
	expect(stdout).not.toContain('dependencies');
	expect(left).toEqual([]);
});
