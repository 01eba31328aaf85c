import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, packThisPackage, startHost } from '../../../host';
import { installCommunityPackage } from '../../../host/communityPackage';
import { n8nEnvironment } from '../../../host/environment';
import { N8nProcess } from '../../../host/n8nProcess';
import type { RunningHost } from './triggerWorkflow';
import { until } from './until';

/** n8n in queue mode, in three processes that share a database and a Redis. */
export interface QueueMode {
	/** With the editor; it publishes. */
	main: RunningHost;
	/** Of the process that takes deliveries. */
	webhookUrl: string;
	mainLogs(): string;
	webhookLogs(): string;
	workerLogs(): string;
	stop(): Promise<void>;
}

export const isRedisInstalled = spawnSync('redis-server', ['--version']).status === 0;

/**
 * Starts n8n as main, worker and webhook process. The database is SQLite, which n8n 2.40 lets several
 * processes share, though it advises PostgreSQL.
 */
export async function startQueueMode(): Promise<QueueMode> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'n8n-queue-test-'));
	const ends: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		for (const end of ends.reverse()) await end();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		const redis = await startRedis(folder);
		ends.push(redis.stop);
		const webhookPort = await freePort();
		const webhookUrl = `http://127.0.0.1:${webhookPort}`;
		const shared = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			DB_SQLITE_DATABASE: path.join(folder, 'shared.sqlite'),
			N8N_ENCRYPTION_KEY: 'shared by all processes',
			N8N_WEBHOOK_URL: `${webhookUrl}/`,
		};
		const tarball = await packThisPackage(folder);
		const main = await startHost({ tarball, env: shared });
		ends.push(main.stop);

		const start = async (command: string, port: number, readyText: string) => {
			const userFolder = path.join(folder, command);
			await installCommunityPackage(userFolder, tarball);
			const env = n8nEnvironment(userFolder, { editor: port, taskBroker: await freePort() });
			const logFile = path.join(folder, `${command}.log`);
			const n8n = new N8nProcess([command], { ...env, ...shared }, logFile);
			ends.push(async () => await n8n.stop());
			await until(`the ${command} is ready`, () => n8n.logs().includes(readyText) || !n8n.running);
			if (!n8n.running) throw new Error(`The ${command} ended:\n${n8n.logs()}`);
			return n8n;
		};
		const worker = await start('worker', await freePort(), 'n8n worker is now ready');
		const webhook = await start('webhook', webhookPort, 'Webhook listener waiting for requests');
		return {
			main,
			webhookUrl,
			mainLogs: () => main.logs(),
			workerLogs: () => worker.logs(),
			webhookLogs: () => webhook.logs(),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startRedis(folder: string) {
	const port = await freePort();
	const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
	const redis = spawn(
		'redis-server',
		Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
		{ stdio: ['ignore', 'pipe', 'inherit'] },
	);
	let log = '';
	redis.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
	await until('Redis is ready', () => log.includes('Ready to accept connections'));
	return {
		port,
		async stop() {
			redis.kill();
			await once(redis, 'exit');
		},
	};
}
