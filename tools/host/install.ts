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

interface Step {
	name: string;
	pnpm: string[];
}

// Three steps instead of one `pnpm install`: Node.js comes with an install script, and the add-ons have
// to be built with that Node.js.
const stepsOf = ({ version, lockFile }: NpmInstallation): Step[] => [
	{
		name: `n8n ${version}: packages`,
		pnpm: [
			'install',
			lockFile ? '--frozen-lockfile' : '--no-lockfile',
			'--ignore-scripts',
			'--reporter=append-only',
		],
	},
	{ name: 'Node.js for it', pnpm: ['rebuild', 'node'] },
	{
		name: 'native add-ons (compiled if not available prebuilt)',
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
 * @throws Error naming the failed step and the file with the full log
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
	report(`n8n ${n8n.version} is installed (${seconds(started)} s).`);
}

async function run(
	n8n: NpmInstallation,
	step: Step,
	title: string,
	report: (line: string) => void,
): Promise<void> {
	const started = Date.now();
	let progress = '';
	report(`${title} …`);

	const child = spawn('npx', ['--yes', packageManager, ...step.pnpm], {
		cwd: n8n.folder,
		env: installEnvironment(n8n),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	for (const stream of [child.stdout, child.stderr]) {
		createInterface({ input: stream }).on('line', (line) => {
			writeFileSync(logOf(n8n), `${line}\n`, { flag: 'a' });
			const [, total, reused, fetched] =
				/^Progress: resolved (\d+), reused (\d+), downloaded (\d+)/.exec(line) ?? [];
			if (total) progress = `${Number(reused) + Number(fetched)} of ${total} packages, `;
		});
	}
	const ticker = setInterval(() => {
		report(`${title}: ${progress}${seconds(started)} s`);
	}, 5_000);

	const exit = await new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => resolve(String(code ?? signal)));
	}).finally(() => clearInterval(ticker));
	if (exit !== '0') {
		throw new Error(
			`Installing n8n ${n8n.version} stopped at ${title} (${exit}). Log: ${logOf(n8n)}`,
		);
	}
	report(`${title}: done (${seconds(started)} s)`);
}

function installEnvironment({ nodeBinary }: NpmInstallation): NodeJS.ProcessEnv {
	const env: NodeJS.ProcessEnv = {
		...process.env,
		CI: 'true', // pnpm asks no questions
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

function seconds(since: number): number {
	return Math.round((Date.now() - since) / 1000);
}

if (require.main === module) {
	installHost(chosen).catch((error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}
