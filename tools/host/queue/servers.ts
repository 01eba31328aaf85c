/** The servers that queue mode needs: Redis and PostgreSQL, each with its own data folder. */
import { spawnSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import { systemEnvironment } from './programs';
import { startServer, type Owner, type Server } from './server';

/** n8n's database; workflows may use `postgres`. */
export const N8N_DATABASE = 'n8n';

/** @param options.appendOnly whether Redis keeps its data after a kill */
export async function startRedis(
	folder: string,
	{ appendOnly }: { appendOnly: boolean },
): Promise<Server> {
	return await startServer({
		program: 'redis-server',
		args: (port) => [
			...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
			...['--save', '', '--appendonly', appendOnly ? 'yes' : 'no'],
		],
		readyText: 'Ready to accept connections',
		folder,
		stopSignal: 'SIGTERM',
		killSignal: 'SIGKILL',
	});
}

/** Its only user is `postgres`, without a password. */
export async function startPostgres(folder: string): Promise<Server> {
	// PostgreSQL refuses to run as root: run it as the user of Debian's package.
	const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
	if (owner) await chown(folder, owner.uid, owner.gid);
	const data = path.join(folder, 'data');
	const encoding = ['-E', 'UTF8', '--no-locale'];
	runProgram(
		'initdb',
		['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', ...encoding],
		owner,
	);
	const command = `CREATE DATABASE ${N8N_DATABASE};\n`;
	runProgram('postgres', ['--single', '-D', data, 'postgres'], owner, command);
	return await startServer({
		program: 'postgres',
		args: (port) => ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder],
		readyText: 'ready to accept connections',
		folder,
		owner,
		stopSignal: 'SIGINT', // closes connections; SIGTERM waits for them
		killSignal: 'SIGQUIT', // also ends its child processes, which outlive a SIGKILL for a while
	});
}

const idOf = (kind: '-u' | '-g'): number =>
	Number(spawnSync('id', [kind, 'postgres']).stdout.toString());

function runProgram(program: string, args: string[], owner?: Owner, input = ''): void {
	const { status, stderr } = spawnSync(program, args, { env: systemEnvironment, input, ...owner });
	if (status !== 0) throw new Error(`${program}: ${stderr.toString()}`);
}
