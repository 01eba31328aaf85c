import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fetchOnce } from '../host';
import type { SandboxCredential } from '../sandbox/types';

/** The sandbox in a separate process, so that it does not share a CPU core with n8n. */
export interface SandboxProcess {
	credential: SandboxCredential;
	/** Calls one of the controls that tools/sandbox/README.md lists. */
	call<T = void>(method: string, control: string, body?: object): Promise<T>;
	/** @returns how many messages were accepted */
	countAccepted(): Promise<number>;
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

	async function call<T>(method: string, control: string, body?: object): Promise<T> {
		const response = await fetchOnce(`${url}/_sandbox${control}`, {
			method,
			...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${control}: ${text}`);
		return (text === '' ? undefined : JSON.parse(text)) as T;
	}

	return {
		credential: await call('GET', '/credential'),
		call,
		countAccepted: async () => (await call<{ count: number }>('GET', '/accepted/count')).count,
		async stop() {
			child.kill();
			await once(child, 'exit');
		},
	};
}
