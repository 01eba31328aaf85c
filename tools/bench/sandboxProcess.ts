import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { SandboxClient } from '../sandbox/client';
import type { SandboxCredential } from '../sandbox/types';

/** The sandbox in a separate process, so that it does not share a CPU core with n8n. */
export interface SandboxProcess {
	client: SandboxClient;
	credential: SandboxCredential;
	stop(): Promise<void>;
}

export async function startSandboxProcess(): Promise<SandboxProcess> {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'cli.ts', '--port=0', '--step-ms=0', '--with-parent'],
		{ cwd: path.join(__dirname, '../sandbox'), stdio: ['pipe', 'pipe', 'inherit'] },
	);
	const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
	const url = /http:\S+\d/.exec(line)?.[0] ?? '';
	const client = new SandboxClient(url);
	return {
		client,
		credential: await client.credential(),
		async stop() {
			await client.close();
			child.kill();
			await once(child, 'exit');
		},
	};
}
