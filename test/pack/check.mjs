/**
 * Checks what is published: the tarball's files, its package.json, and n8n's own package scanner on
 * the sources and on the tarball, as n8n runs it before it verifies a package. Works offline.
 * `node test/pack/check.mjs FOLDER` leaves the tarball there, to be published.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'package-check-'));
const { 2: destination = folder } = process.argv;

try {
	const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
		cwd: root,
	});
	const [{ filename, files, size, unpackedSize }] = JSON.parse(packed);
	console.log(files.map(({ path }) => `  ${path}`).join('\n'));
	console.log(`${files.length} files, ${size} bytes packed, ${unpackedSize} bytes unpacked`);

	const foreign = files
		.map(({ path }) => path)
		.filter((path) => !/^(dist\/|(README\.md|LICENSE|CHANGELOG\.md|package\.json)$)/.test(path));
	assert.deepEqual(foreign, [], 'the tarball holds dist, README, LICENSE and CHANGELOG only');

	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	assert.equal(manifest.dependencies, undefined, 'no runtime dependencies');
	assert.deepEqual(Object.keys(manifest.peerDependencies), ['n8n-workflow']);
	const paths = new Set(files.map(({ path }) => path));
	for (const entry of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		assert.ok(paths.has(entry), `${entry} is in the tarball`);
	}
	// What n8n's editor shows of a node's output before it has run.
	const schemas = 'nodes/MessagingGateway/__schema__';
	for (const name of readdirSync(join(root, schemas), { recursive: true })) {
		if (!name.endsWith('.json')) continue;
		assert.ok(paths.has(`dist/${schemas}/${name}`), `${name} is in the tarball`);
	}

	// What is used of libraries is in the tarball, with their licences; n8n brings the rest.
	execFileSync('tar', ['-xzf', join(destination, filename), '-C', folder]);
	const read = (path) => readFileSync(join(folder, 'package', path), 'utf8');
	const scripts = files.map(({ path }) => path).filter((path) => path.endsWith('.js'));
	const imports = scripts.flatMap((path) => [
		...read(path).matchAll(/\brequire\("([^."][^"]*)"\)/g),
	]);
	const modules = [...new Set(imports.map(([, name]) => name))].sort();
	assert.deepEqual(modules, ['crypto', 'luxon', 'n8n-workflow'], 'no other module is asked for');
	const librariesIn = (text, shape) => [...text.matchAll(shape)].map(([, library]) => library);
	assert.deepEqual(
		librariesIn(read('dist/THIRD-PARTY-NOTICES.txt'), /^(\S+ \d+\.\d+\.\d+) \((?:MIT|Apache-2\.0)\)$/gm),
		librariesIn(readFileSync(join(root, 'SECURITY.md'), 'utf8'), /`(\S+ \d+\.\d+\.\d+)`/g),
		'SECURITY.md names the libraries that are included',
	);
	scan('sources', root);
	scan('tarball', join(folder, 'package'), '**/*.js', 'package.json');
} finally {
	rmSync(folder, { recursive: true, force: true });
}

function scan(what, ...args) {
	const scanner = join(root, 'tools/release/scan.mjs');
	const { status, stdout, stderr } = spawnSync(process.execPath, [scanner, ...args], {
		encoding: 'utf8',
	});
	assert.equal(status, 0, `n8n's scanner on the ${what}: ${stdout}${stderr}`);
	console.log(`n8n's package scanner on the ${what}: passed`);
}
