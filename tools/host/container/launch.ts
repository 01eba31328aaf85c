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
 * Starts n8n in a container that is removed when n8n ends. It uses this machine's network, and the user
 * folder at the same path.
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
	// A mount cannot be removed from within, so a temporary folder is mounted with its parent.
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

/** The label of a container, by the user folder of its n8n. */
export const labelOf = (userFolder: string): string => `n8n-user-folder=${userFolder}`;
