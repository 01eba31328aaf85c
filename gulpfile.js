const { build } = require('esbuild');
const { dest, parallel, src } = require('gulp');
const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');

const clean = () => rm('dist', { recursive: true, force: true });

// `encoding: false` keeps binary files as they are (gulp 5 would decode them as text).
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const codex = () => src('nodes/**/*.node.json', { encoding: false }).pipe(dest('dist/nodes'));
// What n8n's editor shows of a node's output before it has run.
const schemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest('dist/nodes'));

// A community node has no runtime dependencies: what it uses of libraries goes into the package, one
// file for each, in place of what tsc has written there. Their licences go with them.
async function bundle() {
	const { metafile } = await build({
		entryPoints: ['nodes/text/bundled/*.ts'],
		outdir: 'dist/nodes/text/bundled',
		bundle: true,
		platform: 'node',
		target: 'node20',
		drop: ['console'],
		metafile: true,
	});
	const folders = Object.keys(metafile.inputs).flatMap(
		(path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
	);
	const notices = await Promise.all([...new Set(folders)].sort().map(licencesOf));
	await writeFile('dist/THIRD-PARTY-NOTICES.txt', notices.join('\n\n'));
}

async function licencesOf(folder) {
	const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json')));
	const files = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file)).sort();
	if (files.length === 0) throw new Error(`${name} has no licence file`);
	const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
	return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

module.exports = { clean, assets: parallel(icons, codex, schemas, bundle) };
