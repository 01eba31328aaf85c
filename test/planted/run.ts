/**
 * `npm run test:planted [-- word]`: plants each bug of bugs.ts in a copy of the package, and runs the
 * tests that should find it. With a word, only those bugs whose file or reason holds it.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../tools/host/paths';
import { bugs, plant, type Bug } from './bugs';

/** Bugs at a time; each lane has a copy of its own. */
const lanes = 2;

const word = process.argv[2] ?? '';
const waiting = bugs.filter(({ file, why }) => `${file} ${why}`.includes(word));
const all = waiting.length;
const missed: Bug[] = [];

/** What tests of the projects `unit` and `engine` need. */
const parts = [
	...['credentials', 'nodes', 'tools', 'test', 'docs'],
	...['package.json', 'jest.config.js', 'tsconfig.json', 'tsconfig.workshop.json'],
];

async function work(lane: number): Promise<void> {
	const copy = path.join(packageFolder, '.cache', 'planted', String(lane));
	rmSync(copy, { recursive: true, force: true });
	mkdirSync(copy, { recursive: true });
	const filter = (source: string) => !source.includes('node_modules');
	for (const part of parts)
		cpSync(path.join(packageFolder, part), path.join(copy, part), { recursive: true, filter });
	symlinkSync(path.join(packageFolder, 'node_modules'), path.join(copy, 'node_modules'));
	for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
		const file = path.join(copy, bug.file);
		const text = readFileSync(file, 'utf8');
		writeFileSync(file, plant(bug, text));
		const isFound = await fails(copy, bug.tests);
		writeFileSync(file, text);
		if (!isFound) missed.push(bug);
		console.log(`${isFound ? 'found ' : 'MISSED'}  ${bug.file}: ${bug.why}`);
	}
}

/** Whether one of the tests fails, and not because none ran. */
async function fails(cwd: string, tests: string[]): Promise<boolean> {
	const projects = ['--selectProjects', 'unit', 'engine', '--testTimeout=60000'];
	const args = ['jest', ...projects, '--bail', '-i', '--forceExit', '--', ...tests];
	const jest = spawn('npx', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
	let output = '';
	jest.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const code = await new Promise<number | null>((resolve) => jest.once('exit', resolve));
	return code !== 0 && /^Tests: .*\d+ failed/m.test(output);
}

void Promise.all(Array.from({ length: lanes }, async (_, lane) => await work(lane))).then(() => {
	console.log(`${all - missed.length} of ${all} found`);
	if (missed.length > 0) process.exitCode = 1;
});
