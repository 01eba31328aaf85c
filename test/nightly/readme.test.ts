/** README's commands, each as it stands, in a copy of this commit. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { missingDocker } from '../../tools/host/container/docker';
import { packageFolder } from '../../tools/host/paths';

const MINUTES = 60_000;

/** Without what jest and this run's n8n have set. */
const ours = ['NODE_ENV', 'JEST_WORKER_ID', 'HOST_TARBALL', 'N8N_IMAGE', 'THOROUGH'];
const environment = Object.entries(process.env).filter(([name]) => !ours.includes(name));

/** Output and errors, as they come. */
async function* run(command: string, cwd: string, started: (shell: ChildProcess) => void) {
	const env = Object.fromEntries(environment);
	const shell = spawn('bash', ['-c', `set -e\nexec 2>&1\n${command}`], {
		cwd,
		env,
		detached: true,
	});
	started(shell);
	for await (const part of shell.stdout) {
		process.stdout.write(String(part));
		yield String(part);
	}
	if (shell.exitCode === null && shell.signalCode === null) await once(shell, 'exit');
}

describe('README', () => {
	let folder: string;
	let blocks: string[];
	let shell: ChildProcess;

	/** Like a person: starts it, opens the page that it prints, and presses Ctrl-C. */
	async function startAndStop(command: string, cwd: string): Promise<void> {
		let output = '';
		let opened: number | undefined;
		for await (const part of run(command, cwd, (started) => (shell = started))) {
			output += part;
			const [, url] = /^Messages +(\S+)$/m.exec(output) ?? [];
			if (!url || opened !== undefined || !output.includes('Press Ctrl-C')) continue;
			opened = (await fetch(url)).status;
			process.kill(-shell.pid!, 'SIGINT');
		}
		expect({ opened, end: output.slice(-2000) }).toMatchObject({ opened: 200 });
	}

	beforeAll(async () => {
		folder = await mkdtemp(path.join(os.tmpdir(), 'readme-'));
		execFileSync('git', ['clone', '--quiet', `file://${packageFolder}`, folder]);
		const readme = await readFile(path.join(packageFolder, 'README.md'), 'utf8');
		blocks = [...readme.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
		expect(blocks).toHaveLength(3);
	});
	afterAll(async () => {
		if (shell.exitCode === null && shell.signalCode === null) process.kill(-shell.pid!, 'SIGKILL');
		await rm(folder, { recursive: true, force: true });
	});

	it(
		'starts n8n and the simulated service',
		async () => {
			expect(blocks[0]).toBe('npm install && npm start\n');
			await startAndStop(blocks[0]!, folder);
		},
		30 * MINUTES,
	);

	(missingDocker() ? it.skip : it)(
		'starts n8n from an image',
		async () => await startAndStop(blocks[2]!, folder),
		30 * MINUTES,
	);
});
