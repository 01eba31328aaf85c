import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Of a host. */
interface Left {
	userFolder: string;
	pid: number;
}

/** Starts a host in a process of its own, and kills that one. @param image default: the n8n from npm */
export async function killedParent(image?: string): Promise<Left> {
	const parent = fork(path.join(__dirname, 'parent.ts'), {
		env: { ...process.env, N8N_IMAGE: image },
		execArgv: ['--import', 'tsx'],
	});
	const ended = once(parent, 'exit').then(() => {
		throw new Error('The process that starts a host has ended');
	});
	const [left] = (await Promise.race([once(parent, 'message'), ended])) as [Left];
	parent.kill('SIGKILL');
	await ended.catch(() => {});
	return left;
}
