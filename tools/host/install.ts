/**
 * Installs an n8n into the node_modules of its folder, unless its lock file (or package.json) is
 * unchanged; pulls one from an image. `tsx tools/host/install.ts` installs the chosen one (paths.ts).
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { packageManager } from './package.json';
import { pullImage } from './container/image';
import { chosen, pinned, type Installation, type NpmInstallation } from './paths';

interface InstallStep {
	name: string;
	/** On two cores. */
	takes: string;
	pnpm: string[];
}

// Two steps instead of one `pnpm install`: the add-ons have to be built with the Node.js that comes along.
const stepsOf = ({ version, lockFile }: NpmInstallation): InstallStep[] => [
	{
		name: `n8n ${version}: packages`,
		takes: 'a minute or two',
		pnpm: [
			'install',
			lockFile ? '--frozen-lockfile' : '--no-lockfile',
			'--ignore-scripts',
			'--reporter=append-only',
		],
	},
	{
		name: 'SQLite for it',
		takes: 'seconds if there is one ready-made, a minute if it has to be compiled',
		pnpm: ['rebuild', 'isolated-vm', 'sqlite3'],
	},
];

/** Whether node_modules is up to date with the lock file or package.json. */
export function isHostInstalled(n8n = pinned): boolean {
	const stampFile = stampOf(n8n);
	return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === contentHash(n8n);
}

/**
 * Takes minutes the first time, and reports every few seconds.
 *
 * @throws Error naming the failed step, what it last failed at, and the file with the full log
 */
export async function installHost(
	n8n: Installation = pinned,
	report: (line: string) => void = console.log,
): Promise<void> {
	if ('image' in n8n) return await pullImage(n8n, report);
	if (isHostInstalled(n8n)) return;
	const started = Date.now();
	const folder = path.relative(process.cwd(), path.join(n8n.folder, 'node_modules'));
	report(`Installing n8n ${n8n.version} (once; about 2 GB in ${folder}) …`);
	rmSync(stampOf(n8n), { force: true });
	writeFileSync(logOf(n8n), '');
	const steps = stepsOf(n8n);
	for (const [index, step] of steps.entries()) {
		await run(n8n, step, `[${index + 1}/${steps.length}] ${step.name}`, report);
	}
	writeFileSync(stampOf(n8n), contentHash(n8n));
	report(`n8n ${n8n.version} is installed (${secondsSince(started)} s).`);
}

async function run(
	n8n: NpmInstallation,
	step: InstallStep,
	title: string,
	report: (line: string) => void,
): Promise<void> {
	const started = Date.now();
	let progress = '';
	let lastError = '';
	report(`${title} (${step.takes}) …`);

	const child = spawn('npx', ['--yes', packageManager, ...step.pnpm], {
		cwd: n8n.folder,
		env: installEnvironment(n8n),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	for (const stream of [child.stdout, child.stderr]) {
		createInterface({ input: stream }).on('line', (line) => {
			writeFileSync(logOf(n8n), `${line}\n`, { flag: 'a' });
			if (/ERR_PNPM|\bfailed\b|\bE[A-Z]{5,}\b/.test(line)) lastError = line.trim();
			const [, total, reused, fetched] =
				/^Progress: resolved (\d+), reused (\d+), downloaded (\d+)/.exec(line) ?? [];
			if (total) progress = `${Number(reused) + Number(fetched)} of ${total} packages, `;
		});
	}
	const ticker = setInterval(() => {
		report(`${title}: ${progress}${secondsSince(started)} s`);
	}, 5_000);

	const exit = await new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => resolve(String(code ?? signal)));
	}).finally(() => clearInterval(ticker));
	if (exit !== '0') {
		throw new Error(
			`Installing n8n ${n8n.version} stopped at ${title} (${exit}). ${lastError}\nLog: ${logOf(n8n)}`,
		);
	}
	report(`${title}: done (${secondsSince(started)} s)`);
}

/** Half of the compiler's time: SQLite would be compiled with -O3. */
const OPTIMIZATION = { CFLAGS: '-O1', CXXFLAGS: '-O1' };

function installEnvironment({ nodeBinary }: NpmInstallation): NodeJS.ProcessEnv {
	const env: NodeJS.ProcessEnv = {
		...process.env,
		CI: 'true', // pnpm asks no questions
		...OPTIMIZATION,
		PATH: [path.dirname(nodeBinary), process.env.PATH].join(path.delimiter),
	};
	// Set by an outer `npm … --ignore-scripts`, and pnpm would obey it.
	delete env.npm_config_ignore_scripts;
	return env;
}

const stampOf = ({ folder }: NpmInstallation): string =>
	path.join(folder, 'node_modules', '.installed');

const logOf = ({ folder }: NpmInstallation): string => path.join(folder, 'install.log');

function contentHash({
	folder,
	lockFile = path.join(folder, 'package.json'),
}: NpmInstallation): string {
	return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

function secondsSince(since: number): number {
	return Math.round((Date.now() - since) / 1000);
}

if (require.main === module) {
	installHost(chosen).catch((error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}
