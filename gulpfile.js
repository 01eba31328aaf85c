const { build } = require('esbuild');
const { readdir, readFile, writeFile } = require('node:fs/promises');
const { join } = require('node:path');

// A community node has no runtime dependencies: what it uses of libraries goes into the package, in place
// of what tsc has written there. Their licences go with them.
async function bundle() {
	const { metafile } = await build({
		entryPoints: ['nodes/text/bundled.ts'],
		outfile: 'dist/nodes/text/bundled.js',
		bundle: true,
		platform: 'node',
		target: 'node20',
		drop: ['console'],
		define: { 'console.warn': 'undefined' }, // acorn also asks whether there is one
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

module.exports = { default: bundle };
