/** What n8n needs in queue mode: Redis and PostgreSQL, each with its data in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../../host';
import { until } from '../trigger/until';

export interface Server {
	port: number;
	/** Ends the server and removes its data. */
	stop(): Promise<void>;
}

// Debian's package puts its programs there, and not on the PATH.
const debian = '/usr/lib/postgresql';
const versions = existsSync(debian) ? readdirSync(debian) : [];
const folders = versions.map((version) => path.join(debian, version, 'bin'));
const env = { ...process.env, PATH: [process.env.PATH, ...folders].join(path.delimiter) };

/** Programs that are not installed, of those that queue mode needs. */
export const missingPrograms = ['redis-server', 'initdb', 'postgres'].filter(
	(program) => spawnSync(program, ['--version'], { env }).status !== 0,
);

interface Owner {
	uid?: number;
	gid?: number;
}

export async function startRedis(): Promise<Server> {
	return await start({}, 'redis-server', 'Ready to accept connections', (folder, port) => [
		...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
		...['--save', '', '--appendonly', 'no'],
	]);
}

/** Its only user is `postgres`, without a password, as is its database. */
export async function startPostgres(): Promise<Server> {
	// PostgreSQL refuses to run as root: it then runs as the user that Debian's package brings.
	const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
	return await start(owner, 'postgres', 'ready to accept connections', (folder, port) => {
		const data = path.join(folder, 'data');
		const settings = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'];
		const { status, stderr } = spawnSync('initdb', settings, { env, ...owner });
		if (status !== 0) throw new Error(`initdb: ${stderr.toString()}`);
		return ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
	});
}

const idOf = (kind: '-u' | '-g'): number =>
	Number(spawnSync('id', [kind, 'postgres']).stdout.toString());

async function start(
	owner: Owner,
	program: string,
	readyText: string,
	prepare: (folder: string, port: number) => string[],
): Promise<Server> {
	const folder = await mkdtemp(path.join(os.tmpdir(), `${program}-test-`));
	if (owner.uid && owner.gid) await chown(folder, owner.uid, owner.gid);
	const port = await freePort();
	const child = spawn(program, prepare(folder, port), { env, ...owner });
	let log = '';
	child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
	const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
	await until(`${program} is ready`, () => log.includes(readyText) || hasEnded());
	if (hasEnded()) throw new Error(`${program} ended:\n${log}`);
	return {
		port,
		async stop() {
			if (!hasEnded()) {
				child.kill('SIGINT'); // PostgreSQL ends its clients' connections; SIGTERM waits for them
				await once(child, 'exit');
			}
			await rm(folder, { recursive: true, force: true });
		},
	};
}
