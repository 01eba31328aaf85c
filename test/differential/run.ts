/**
 * `npm run test:differential -- --seed 1 --count 20000 --reference 76dffee` gives the package of a commit
 * and the present one the same random cases, and demands the same behaviour; with `--any-words`, messages
 * may be worded differently.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageFolder } from '../../tools/host/paths';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		count: { type: 'string', default: '20000' },
		/** The last commit of the package's first layout. */
		reference: { type: 'string', default: '76dffee' },
		'any-words': { type: 'boolean', default: false },
	},
});

/** What a build needs. */
const sources = ['nodes', 'credentials', 'icons', 'package.json', 'gulpfile.js', 'tsconfig.json'];
const folder = path.join(packageFolder, '.cache', 'differential');
rmSync(folder, { recursive: true, force: true });

build('reference', (to) => {
	// Earlier commits have a second tsconfig for their build.
	const paths = [...sources, 'tsconfig*.json'];
	const archive = execFileSync('git', ['archive', values.reference, ...paths], {
		cwd: packageFolder,
		maxBuffer: 2 ** 28,
	});
	execFileSync('tar', ['-x'], { cwd: to, input: archive });
});
build('present', (to) => {
	for (const source of sources)
		cpSync(path.join(packageFolder, source), path.join(to, source), { recursive: true });
});

/** Builds a package and copies it four times, so that each copy has its own memory. */
function build(name: string, takeTo: (folder: string) => void): void {
	const to = path.join(folder, name);
	mkdirSync(to, { recursive: true });
	takeTo(to);
	execFileSync('npm', ['run', 'build', '--silent'], { cwd: to, stdio: 'inherit' });
	const { n8n } = JSON.parse(readFileSync(path.join(to, 'package.json'), 'utf8')) as object & {
		n8n: object;
	};
	for (const copy of ['0', '1', '2', '3']) {
		cpSync(path.join(to, 'dist'), path.join(to, copy, 'dist'), { recursive: true });
		writeFileSync(path.join(to, copy, 'package.json'), JSON.stringify({ n8n }));
	}
}

const { status } = spawnSync(
	'npx',
	[
		...['jest', '--config', 'test/differential/jest.config.js', '--maxWorkers=2'],
		// What is loaded and recorded has its words.
		...(values['any-words'] ? ['sending', 'triggers', 'questions'] : []),
	],
	{
		cwd: packageFolder,
		env: {
			...process.env,
			FUZZ_SEED: values.seed,
			FUZZ_COUNT: values.count,
			DIFFERENTIAL_REFERENCE: values.reference,
			DIFFERENTIAL_ANY_WORDS: values['any-words'] ? '1' : '',
		},
		stdio: 'inherit',
	},
);
process.exitCode = status ?? 1;
