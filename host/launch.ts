import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { hostFolder, type NpmInstallation } from './paths';

/** An n8n that has been started. */
export interface Launched {
	/** Is told SIGTERM for n8n, and ends after it. */
	readonly child: ChildProcess;
	/** Of n8n itself, as this machine counts; undefined where it does not run. */
	readonly pid: number | undefined;
	/** For n8n and all that it has started; false when nothing of it is left. */
	signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean;
}

/** Ends n8n with the process that started it. */
export const preload = path.join(hostFolder, 'stopWithParent.mts');

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
		detached: true, // a process group of its own, which n8n's task runners belong to
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
