/**
 * Installs the host n8n into host/node_modules, once: does nothing while the lock file stays the
 * same. Run with `tsx host/install.ts`; the demo and the launcher call `installHost`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { dependencies, packageManager } from './package.json';
import { hostFolder, nodeBinary } from './paths';

const lockFile = path.join(hostFolder, 'pnpm-lock.yaml');
const stampFile = path.join(hostFolder, 'node_modules', '.installed');
const logFile = path.join(hostFolder, 'install.log');

interface Step {
	name: string;
	pnpm: string[];
}

// Node.js 24 comes with an install script, and the add-ons are to be built with that Node.js: hence
// three steps instead of one `pnpm install`.
const steps: Step[] = [
	{
		name: `n8n ${dependencies.n8n}: packages`,
		pnpm: ['install', '--frozen-lockfile', '--ignore-scripts', '--reporter=append-only'],
	},
	{ name: `Node.js ${dependencies.node}`, pnpm: ['rebuild', 'node'] },
	{
		name: 'native add-ons (compiled where no prebuilt one can be had)',
		pnpm: ['rebuild', 'isolated-vm', 'sqlite3'],
	},
];

/** Whether host/node_modules is what the lock file describes. */
export function isHostInstalled(): boolean {
	return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockHash();
}

/**
 * Installs the host unless it is installed. Takes minutes the first time and reports every few
 * seconds.
 *
 * @throws Error naming the step that did not succeed and the file with the full log
 */
export async function installHost(report: (line: string) => void = console.log): Promise<void> {
	if (isHostInstalled()) return;
	const started = Date.now();
	report('Installing the host n8n (once; about 2 GB in host/node_modules) …');
	rmSync(stampFile, { force: true });
	writeFileSync(logFile, '');
	for (const [index, step] of steps.entries()) {
		await run(step, `[${index + 1}/${steps.length}] ${step.name}`, report);
	}
	writeFileSync(stampFile, lockHash());
	report(`The host n8n is installed (${seconds(started)} s).`);
}

async function run(step: Step, title: string, report: (line: string) => void): Promise<void> {
	const started = Date.now();
	const total = countPackages();
	let fetched = 0;
	report(`${title} …`);

	const child = spawn('npx', ['--yes', packageManager, ...step.pnpm], {
		cwd: hostFolder,
		env: installEnvironment(),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	for (const stream of [child.stdout, child.stderr]) {
		createInterface({ input: stream }).on('line', (line) => {
			writeFileSync(logFile, `${line}\n`, { flag: 'a' });
			const progress = /^Progress: .*reused (\d+), downloaded (\d+)/.exec(line);
			if (progress) fetched = Number(progress[1]) + Number(progress[2]);
		});
	}
	const ticker = setInterval(() => {
		const packages = fetched > 0 ? `${fetched} of about ${total} packages, ` : '';
		report(`${title}: ${packages}${seconds(started)} s`);
	}, 5_000);

	const exit = await new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => resolve(String(code ?? signal)));
	}).finally(() => clearInterval(ticker));
	if (exit !== '0') {
		throw new Error(`Installing the host n8n stopped at ${title} (${exit}). Log: ${logFile}`);
	}
	report(`${title}: done (${seconds(started)} s)`);
}

function installEnvironment(): NodeJS.ProcessEnv {
	const env: NodeJS.ProcessEnv = {
		...process.env,
		CI: 'true', // pnpm asks no questions
		PATH: [path.dirname(nodeBinary), process.env.PATH].join(path.delimiter),
	};
	// An `npm … --ignore-scripts` around this would reach pnpm through the environment.
	delete env.npm_config_ignore_scripts;
	return env;
}

function countPackages(): number {
	const [, packages = ''] = readFileSync(lockFile, 'utf8').split(/^(?:packages|snapshots):$/m);
	return packages.match(/^ {2}\S.*:$/gm)?.length ?? 0;
}

function lockHash(): string {
	return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

function seconds(since: number): number {
	return Math.round((Date.now() - since) / 1000);
}

if (require.main === module) {
	installHost().catch((error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}
