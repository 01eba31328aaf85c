import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { hostFolder, type NpmInstallation } from './paths';

/** A running n8n. */
export interface Launched {
	/** Passes SIGTERM on to n8n, and ends after it. */
	readonly child: ChildProcess;
	/** The id of n8n's process on this machine; undefined if it does not run. */
	readonly pid: number | undefined;
	/** Sends a signal to n8n and its children; false if none is left. */
	signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean;
}

/** Ends n8n together with the process that started it, and keeps what it has compiled. */
export const preload = path.join(hostFolder, 'preload.mts');

/** @param log a file's descriptor */
export function launchProcess(
	{ nodeBinary, n8nBinary }: NpmInstallation,
	args: string[],
	env: NodeJS.ProcessEnv,
	log: number,
): Launched {
	const child = spawn(nodeBinary, ['--import', preload, n8nBinary, ...args], {
		env,
		stdio: ['ignore', log, log, 'ipc'],
		detached: true, // a process group for n8n and its task runners
	});
	const { pid } = child;
	return {
		child,
		pid,
		signal(signal) {
			try {
				return pid !== undefined && process.kill(-pid, signal);
			} catch {
				return false;
			}
		},
	};
}
