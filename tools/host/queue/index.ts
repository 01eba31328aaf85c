/** n8n in queue mode: the main process publishes, webhook processes receive, workers execute. */
import { freePort, packThisPackage } from '..';
import { postJson } from '../fetchOnce';
import { installHost } from '../install';
import { startLastingHost, type LastingHost } from '../lasting';
import type { Installation } from '../paths';
import { startQueueProcess, type Command, type QueueProcess } from './queueProcess';
import type { Server } from './server';
import { N8N_DATABASE, startPostgres, startRedis } from './servers';
import { Started } from './started';

export { missingPrograms } from './programs';
export type { QueueProcess } from './queueProcess';
export type { Server } from './server';

export interface QueueModeOptions {
	/** Default: the pinned n8n. */
	n8n?: Installation;
	/** Default: 2. */
	workers?: number;
	/** Default: 1. The first one receives the deliveries. */
	webhooks?: number;
	/** Whether Redis keeps its data when it is killed. Default: true. */
	appendOnly?: boolean;
	/** The port of the editor. Default: any free port. */
	port?: number;
	/** Added to the environment of each n8n process. */
	env?: Record<string, string>;
}

/** Processes that share a database and a Redis; each has its own user folder and package. */
export interface QueueMode {
	/** Has the editor, and runs manual executions. */
	readonly main: LastingHost;
	readonly webhooks: QueueProcess[];
	readonly workers: QueueProcess[];
	readonly redis: Server;
	readonly postgres: Server;
	/** The data of n8n's credentials of these types: databases other than n8n's own. */
	readonly credentials: Record<'postgres' | 'redis', object>;
	/** Posts to a Webhook node, at the first webhook process. */
	post(path: string, body?: object): Promise<Response>;
	/** The one that has begun an execution. */
	workerOf(executionId: string): QueueProcess | undefined;
	/** Stops everything and removes its data. */
	stop(): Promise<void>;
}

/** @throws Error when a process does not become ready; all others are then stopped */
export async function startQueueMode(options: QueueModeOptions = {}): Promise<QueueMode> {
	await installHost(options.n8n);
	const started = new Started();
	try {
		return { ...(await startAll(options, started)), stop: async () => await started.stop() };
	} catch (error) {
		await started.stop();
		throw error;
	}
}

async function startAll(
	{ n8n, workers = 2, webhooks = 1, appendOnly = true, port, env }: QueueModeOptions,
	started: Started,
): Promise<Omit<QueueMode, 'stop'>> {
	const redis = await startRedis(await started.newFolder('redis'), { appendOnly });
	started.servers.push(redis);
	const postgres = await startPostgres(await started.newFolder('postgres'));
	started.servers.push(postgres);

	const webhookPorts = await freePorts(webhooks);
	const webhookUrl = `http://127.0.0.1:${webhookPorts[0]}/`;
	const shared = {
		...sharedEnvironment(redis, postgres),
		N8N_WEBHOOK_URL: webhookUrl,
		WEBHOOK_URL: webhookUrl, // its name in n8n 1
		...env,
	};
	const userFolder = await started.newFolder('main');
	const tarball = process.env.HOST_TARBALL ?? (await packThisPackage(userFolder));
	const main = await startLastingHost({
		n8n,
		userFolder,
		tarball,
		port,
		env: { ...shared, HOST_TEMPORARY_FOLDER: userFolder },
	});
	started.processes.push(main);

	const startEach = async (command: Command, ports: number[]) => {
		const processes: QueueProcess[] = [];
		for (const [index, each] of ports.entries()) {
			const name = `${command} ${index + 1}`;
			const userFolder = await started.newFolder(name);
			const options = { n8n, name, command, userFolder, tarball, port: each, env: shared };
			const queueProcess = await startQueueProcess(options);
			started.processes.push(queueProcess);
			processes.push(queueProcess);
		}
		return processes;
	};
	const all = {
		webhooks: await startEach('webhook', webhookPorts),
		workers: await startEach('worker', await freePorts(workers)),
	};
	await Promise.all(
		Object.values(all)
			.flat()
			.map(async (each) => await each.ready()),
	);
	return {
		main,
		...all,
		redis,
		postgres,
		credentials: credentialsOf(redis, postgres),
		post: async (path, body) => await postJson(`${webhookUrl}webhook/${path}`, body),
		workerOf: (id) => all.workers.find((each) => each.logs().includes(`started execution ${id} `)),
	};
}

const freePorts = async (count: number): Promise<number[]> =>
	await Promise.all(Array.from({ length: count }, async () => await freePort()));

const sharedEnvironment = (redis: Server, postgres: Server) => ({
	EXECUTIONS_MODE: 'queue',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	QUEUE_WORKER_MAX_STALLED_COUNT: '0', // n8n 1 runs an execution again whose worker has died
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_USER: 'postgres',
	DB_POSTGRESDB_DATABASE: N8N_DATABASE,
	N8N_ENCRYPTION_KEY: 'shared by all processes',
});

const credentialsOf = (redis: Server, postgres: Server): QueueMode['credentials'] => ({
	postgres: {
		...{ host: '127.0.0.1', port: postgres.port, ssl: 'disable' },
		...{ database: 'postgres', user: 'postgres', password: '' },
	},
	redis: { host: '127.0.0.1', port: redis.port, user: '', password: '', database: 1 },
});
