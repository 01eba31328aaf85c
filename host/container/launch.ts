import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { clockFile } from '../clock';
import { preload, type Launched } from '../launch';
import type { ImageInstallation } from '../paths';
import { docker } from './docker';
import { contentsOf } from './image';

const commands = { SIGKILL: 'kill', SIGSTOP: 'pause', SIGCONT: 'unpause' };

/**
 * Starts n8n in a container that is removed when n8n ends. It has this machine's network, and its user
 * folder where this machine has it.
 *
 * @param log a file's descriptor
 */
export function launchContainer(
	n8n: ImageInstallation,
	args: string[],
	env: NodeJS.ProcessEnv,
	log: number,
): Launched {
	const name = `n8n-${randomUUID()}`;
	const user = `${process.getuid!()}:${process.getgid!()}`;
	const { N8N_USER_FOLDER: userFolder = '', HOST_TEMPORARY_FOLDER: temporary } = env;
	// What is mounted cannot be removed from within: a temporary folder comes with the one it is in.
	const mounted = temporary ? path.dirname(temporary) : userFolder;
	const child = spawn(
		'docker',
		[
			...['run', '--rm', '--name', name, '--label', labelOf(userFolder)],
			'--interactive', // n8n's input ends with this process
			...['--network', 'host', '--user', user, '--workdir', userFolder],
			...['--volume', `${mounted}:${mounted}`],
			...[preload, clockFile].flatMap((file) => ['--volume', `${file}:${file}:ro`]),
			...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
			...['--entrypoint', 'node', n8n.image],
			...['--import', preload, contentsOf(n8n).n8nBinary, ...args],
		],
		{ stdio: ['pipe', log, log], detached: true },
	);
	let pid: number | undefined;
	return {
		child,
		get pid() {
			pid ??= Number(docker('inspect', '--format', '{{.State.Pid}}', name).stdout) || undefined;
			return pid;
		},
		signal(signal) {
			docker(commands[signal], name);
			return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
		},
	};
}

/** Of containers, by the user folder of the n8n in them. */
export const labelOf = (userFolder: string): string => `n8n-user-folder=${userFolder}`;
