/**
 * `npm run test:fuzz -- --seed 1 --count 20000` runs this many random cases of each kind. The same seed
 * generates the same cases; without one, they differ each time.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packageFolder } from '../../tools/host/paths';

const reports = path.join(packageFolder, '.cache', 'fuzz');

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
		count: { type: 'string', default: '2000' },
	},
});
const again = `npm run test:fuzz -- --seed ${values.seed} --count ${values.count}`;
console.log(again);
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const args = [
	...['jest', '--selectProjects', 'fuzz', 'unit', '--maxWorkers=3', '--testTimeout=3600000'],
	...['--', 'test/fuzz', 'test/unit/account', 'test/unit/service', 'test/unit/text'], // their properties run as many cases
];
const { status } = spawnSync('npx', args, {
	cwd: packageFolder,
	env: { ...process.env, FUZZ_SEED: values.seed, FUZZ_COUNT: values.count, FUZZ_REPORTS: reports },
	stdio: 'inherit',
});

const files = readdirSync(reports).map((name) => {
	const figures = JSON.parse(readFileSync(path.join(reports, name), 'utf8')) as object;
	return [path.basename(name, '.json'), figures] as const;
});
console.table(Object.fromEntries(files));
if (status !== 0) {
	console.error(`Not all cases passed. To run them again: ${again}`);
	process.exitCode = 1;
}
