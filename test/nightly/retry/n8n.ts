/** An n8n that can end in the middle of executions, with all of them, and begins again. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { postJson, type HostClient } from '../../../tools/host';
import { startLastingHost } from '../../../tools/host/lasting';
import { chosen } from '../../../tools/host/paths';
import { startQueueMode } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';

export interface N8n {
	/** Another one after each end. */
	readonly client: HostClient;
	/** Of its webhooks. */
	readonly url: string;
	kill(): Promise<void>;
	/** Ends it with SIGTERM; what is running is cut off. */
	cutOff(): Promise<void>;
	/** Without its event log, n8n does not find out at its start what was running. */
	forgetEvents(): Promise<void>;
	/** Only in queue mode. */
	emptyRedis(): Promise<void>;
	start(): Promise<void>;
	/** Ends it for good. */
	remove(): Promise<void>;
}

export type Steps = Array<'kill' | 'cutOff' | 'forgetEvents' | 'emptyRedis'>;

/** Ends an n8n with all that it executes, and begins it again. */
export async function restart(n8n: N8n, ...steps: Steps): Promise<void> {
	for (const step of steps) await n8n[step]();
	await n8n.start();
}

/** Publishes a workflow that begins with a webhook and calls that. @returns the execution's id */
export async function begin({ client, url }: N8n, workflow: string, path: string): Promise<string> {
	expect((await client.activate(workflow)).status).toBe('published');
	const post = async () => await postJson(`${url}/webhook/${path}`);
	await until('its webhook is there', async () => (await post()).ok);
	return await client.newest(workflow);
}

const env = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' };

/**
 * In minutes. Where no process noted that an execution had begun, n8n finds out by this alone. Only for the
 * start after an end: it takes what runs in the main process for crashed.
 */
const recovery = { N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1' };

export async function startOne(): Promise<N8n> {
	const host = await startLastingHost({ n8n: chosen, env });
	return {
		get client() {
			return host.client;
		},
		url: host.url,
		kill: async () => await host.kill(),
		cutOff: async () => await host.stop(),
		forgetEvents: async () => await removeEventLogs(host.userFolder),
		emptyRedis: async () => await Promise.reject(new Error('There is no Redis')),
		start: async () => await host.startAgain(),
		remove: async () => await host.remove(),
	};
}

export async function startQueue(): Promise<N8n> {
	const n8n = await startQueueMode({ n8n: chosen, appendOnly: false, env });
	const all = [n8n.main, ...n8n.workers];
	return {
		get client() {
			return n8n.main.client;
		},
		url: n8n.webhooks[0]!.url,
		kill: async () => void (await Promise.all(all.map(async (each) => await each.kill()))),
		cutOff: async () => void (await Promise.all(all.map(async (each) => await each.stop()))),
		async forgetEvents() {
			for (const { userFolder } of all) await removeEventLogs(userFolder);
		},
		async emptyRedis() {
			await n8n.redis.kill();
			await n8n.redis.restart();
		},
		async start() {
			await n8n.main.restart(recovery);
			for (const worker of n8n.workers) await worker.restart();
		},
		remove: async () => await n8n.stop(),
	};
}

async function removeEventLogs(userFolder: string): Promise<void> {
	const folder = path.join(userFolder, '.n8n');
	const logs = (await readdir(folder)).filter((name) => name.startsWith('n8nEventLog'));
	expect(logs).not.toEqual([]);
	for (const log of logs) await rm(path.join(folder, log), { recursive: true });
}
