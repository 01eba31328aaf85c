/** n8n in queue mode: the main process publishes, webhook processes take deliveries, workers execute. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, packThisPackage, startHost, type Host, type HostOptions } from '..';
import { installHost } from '../install';
import { startQueueProcess, type Command, type QueueProcess } from './queueProcess';
import type { Server } from './server';
import { N8N_DATABASE, startPostgres, startRedis } from './servers';

export { missingPrograms, requirePrograms } from './programs';
export type { QueueProcess } from './queueProcess';
export type { Server } from './server';

export interface QueueModeOptions {
	/** Default: 2. */
	workers?: number;
	/** Default: 1. Deliveries are told to go to the first. */
	webhooks?: number;
	/** Redis keeps what it is told when it is killed. Default: true. */
	appendOnly?: boolean;
	/** Of the editor. Default: any free one. */
	port?: number;
	/** Added to the environment of each n8n process. */
	env?: Record<string, string>;
}

/** Processes that share a database and a Redis, each with a user folder and the package of its own. */
export interface QueueMode {
	/** With the editor; it executes what is started by hand. */
	readonly main: Host & {
		/** Starts it again, after `stop` or `kill` too. */
		restart(): Promise<void>;
	};
	readonly webhooks: QueueProcess[];
	readonly workers: QueueProcess[];
	readonly redis: Server;
	readonly postgres: Server;
	/** For n8n's credentials of these types: a database beside n8n's, and Redis beside n8n's queue. */
	readonly credentials: Record<'postgres' | 'redis', object>;
	/** Ends all of it and removes its data. */
	stop(): Promise<void>;
}

/** @throws Error when a process does not become ready; those that were started are ended then */
export async function startQueueMode(options: QueueModeOptions = {}): Promise<QueueMode> {
	const { workers = 2, webhooks = 1, appendOnly = true } = options;
	await installHost();
	const folders: string[] = [];
	const servers: Server[] = [];
	const processes: Array<{ stop(): Promise<void> }> = [];
	const stop = async () => {
		await Promise.all(processes.map(async (each) => await each.stop()));
		await Promise.all(servers.map(async (each) => await each.stop()));
		for (const folder of folders) await rm(folder, { recursive: true, force: true });
	};
	const newFolder = async (name: string) => {
		const folder = await mkdtemp(path.join(os.tmpdir(), `n8n-queue-${name.replace(' ', '-')}-`));
		folders.push(folder);
		return folder;
	};
	try {
		const redis = await startRedis(await newFolder('redis'), { appendOnly });
		servers.push(redis);
		const postgres = await startPostgres(await newFolder('postgres'));
		servers.push(postgres);

		const webhookPorts = await Promise.all(Array.from({ length: webhooks }, () => freePort()));
		const shared = {
			...sharedEnvironment(redis, postgres),
			N8N_WEBHOOK_URL: `http://127.0.0.1:${webhookPorts[0]}/`,
			...options.env,
		};
		const userFolder = await newFolder('main');
		const tarball = await packThisPackage(userFolder);
		const env = { ...shared, HOST_TEMPORARY_FOLDER: userFolder };
		const editorPort = options.port ?? (await freePort());
		const main = await startMain({ userFolder, tarball, port: editorPort, env });
		processes.push(main);

		const start = async (command: Command, index: number, at: number) => {
			const name = `${command} ${index + 1}`;
			const userFolder = await newFolder(name);
			const each = { name, command, userFolder, tarball, port: at, env: shared };
			const started = await startQueueProcess(each);
			processes.push(started);
			return started;
		};
		const all = { webhooks: [] as QueueProcess[], workers: [] as QueueProcess[] };
		for (const [index, at] of webhookPorts.entries()) {
			all.webhooks.push(await start('webhook', index, at));
		}
		for (let index = 0; index < workers; index++) {
			all.workers.push(await start('worker', index, await freePort()));
		}
		await Promise.all([...all.webhooks, ...all.workers].map(async (each) => await each.ready()));
		return { main, ...all, redis, postgres, credentials: credentialsOf(redis, postgres), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startMain(options: HostOptions): Promise<QueueMode['main']> {
	const main = Object.assign(await startHost(options), {
		async restart() {
			await main.stop();
			Object.assign(main, await startHost(options));
		},
	});
	return main;
}

const sharedEnvironment = (redis: Server, postgres: Server) => ({
	EXECUTIONS_MODE: 'queue',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_USER: 'postgres',
	DB_POSTGRESDB_DATABASE: N8N_DATABASE,
	N8N_ENCRYPTION_KEY: 'shared by all processes',
});

const credentialsOf = (redis: Server, postgres: Server): QueueMode['credentials'] => ({
	postgres: {
		host: '127.0.0.1',
		port: postgres.port,
		database: 'postgres',
		user: 'postgres',
		password: '',
		ssl: 'disable',
	},
	redis: { host: '127.0.0.1', port: redis.port, user: '', password: '', database: 1 },
});
