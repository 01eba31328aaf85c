/**
 * `npm run release`: prints what a release still needs. If nothing is missing, it tags the commit and
 * prints how to push the tag, which starts .github/workflows/publish.yml. With `-- --dry-run` it only
 * checks. docs/guidelines.md has n8n's requirements for a package.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { missing, tagOf, type Manifest } from './missing';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const folder = path.join(__dirname, '../..');
const git = (...args: string[]): string[] =>
	execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean);

const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const named = git('ls-files', '--', 'CHANGELOG.md', '.github', 'credentials', 'nodes/**/*.json');
const tagsHere = git('tag', '--points-at', 'HEAD');
const found = missing({
	manifest,
	files: Object.fromEntries(named.map((file) => [file, read(file)])),
	git: {
		changed: git('status', '--porcelain').map((line) => line.slice(3)),
		tagsHere,
		tags: git('tag'),
		origin: git('remote').includes('origin') ? git('remote', 'get-url', 'origin')[0] : undefined,
	},
});
const scan = spawnSync(process.execPath, [path.join(__dirname, 'scan.mjs'), folder], {
	encoding: 'utf8',
});
const scanned = `${scan.stdout}${scan.stderr}`.split('\n').filter((line) => line.trim() !== '');
const all = [...found, ...(scan.status === 0 ? [] : scanned)];
const tag = tagOf(manifest);
if (all.length > 0) {
	console.log(['To do before a release:', ...all.map((line) => `- ${line}`)].join('\n'));
	process.exitCode = 1;
} else if (values['dry-run']) {
	console.log(`Nothing is missing for ${tag}.`);
} else {
	if (!tagsHere.includes(tag)) git('tag', '--annotate', tag, '--message', tag);
	console.log(`This commit is tagged ${tag}. To publish it: git push origin ${tag}`);
}
