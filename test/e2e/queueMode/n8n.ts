import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, packThisPackage, startHost, type Host } from '../../../host';
import { installCommunityPackage } from '../../../host/communityPackage';
import { n8nEnvironment } from '../../../host/environment';
import { N8nProcess } from '../../../host/n8nProcess';
import { until } from '../trigger/until';
import { startPostgres, startRedis } from './servers';

/** n8n in queue mode: three processes that share a database and a Redis. */
export interface QueueMode {
	/** With the editor; it publishes, and executes what is started by hand. */
	main: Host;
	/** Takes deliveries. */
	webhook: N8nProcess & { url: string };
	/** Executes what deliveries start. */
	worker: N8nProcess;
	stop(): Promise<void>;
}

export async function startQueueMode(): Promise<QueueMode> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'n8n-queue-test-'));
	const ends = [async () => await rm(folder, { recursive: true, force: true })];
	const stop = async () => {
		for (const end of ends.splice(0).reverse()) await end();
	};
	try {
		const redis = await startRedis();
		ends.push(redis.stop);
		const postgres = await startPostgres();
		ends.push(postgres.stop);
		const webhookPort = await freePort();
		const webhookUrl = `http://127.0.0.1:${webhookPort}`;
		const shared = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: 'postgres',
			DB_POSTGRESDB_DATABASE: 'postgres',
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
		return { main, webhook: Object.assign(webhook, { url: webhookUrl }), worker, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
