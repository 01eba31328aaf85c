import path from 'node:path';
import { Agent, request } from 'undici';
import type { CredentialReference, FinishedExecution, WorkflowJson } from '../host';
import { importExamples, publishSubWorkflows } from '../host/examples';
import { startQueueMode, type QueueMode } from '../host/queue';
import { until } from '../host/until';
import { startedByPost } from '../testing/workflows';
import type { BenchCredential, Setup } from './bench';
import { cpuTimeOfTree } from './cpuTime';
import { startSandboxProcess, type SandboxProcess } from './sandboxProcess';
import { buildTwins } from './twins';

/** Names of the examples that keep deduplication keys. */
const keyStores = {
	PostgreSQL: 'Deduplication in PostgreSQL',
	Redis: 'Deduplication in Redis',
};
export type Database = keyof typeof keyStores;

/** Posts under way at the same time. */
const atOnce = 20;

/** Of all runs together, in ms. */
const limit = 600_000;

/** Those of n8n and what it stands on; several workers are one. */
export const processes = ['workers', 'webhook process', 'main', 'PostgreSQL', 'Redis'] as const;
/** CPU time in ms. */
export type CpuTimes = Record<(typeof processes)[number], number>;

/** A workflow that runs on the workers whenever it is posted to. */
export interface Published {
	id: string;
	url: string;
}

/** n8n in queue mode with this package and the benchmark's own nodes, and a sandbox. */
export class QueueBench {
	private paths = 0;

	private constructor(
		private readonly queue: QueueMode,
		private readonly agent: Agent,
		readonly sandbox: SandboxProcess,
		readonly credential: BenchCredential,
		/** Of the examples, by their names. */
		private readonly workflowIds: Map<string, string>,
	) {}

	/** Starts one for a task and ends it after. */
	static async with<T>(
		{ folder }: Setup,
		workers: number,
		task: (bench: QueueBench) => Promise<T>,
	): Promise<T> {
		const twins = path.join(folder, 'twins');
		buildTwins(twins);
		const sandbox = await startSandboxProcess();
		const agent = new Agent({ connections: atOnce });
		try {
			const env = { N8N_CUSTOM_EXTENSIONS: twins };
			const queue = await startQueueMode({ workers, env });
			try {
				const { credential } = sandbox;
				const reference = await queue.main.client.createCredential(credential);
				const sender = { ...reference, baseUrl: credential.baseUrl };
				const ids = await publishKeyStores(queue);
				return await task(new QueueBench(queue, agent, sandbox, sender, ids));
			} finally {
				await queue.stop();
			}
		} finally {
			await agent.close();
			await sandbox.stop();
		}
	}

	/** The workflow that keeps keys there. */
	keyStore(database: Database): { id: string; name: string } {
		const name = keyStores[database];
		return { id: this.workflowIds.get(name) ?? '', name };
	}

	/** @param workflow one that starts by hand */
	async publish(workflow: WorkflowJson): Promise<Published> {
		const { main, webhooks } = this.queue;
		const path = `bench-${this.paths++}`;
		const started = startedByPost(path, 'onReceived', workflow);
		const id = await main.client.createWorkflow(started);
		const { status } = await main.client.activate(id);
		if (status !== 'published') throw new Error(`The workflow could not be published: ${status}`);
		return { id, url: `${webhooks[0]?.url}/webhook/${path}` };
	}

	/** Runs it once, on an empty sandbox, and waits for its end. */
	async run({ id, url }: Published): Promise<FinishedExecution> {
		await this.sandbox.client.reset();
		await this.post(url);
		const [newest] = await this.queue.main.client.executions(id);
		return await this.queue.main.client.waitForExecution(newest?.id ?? '');
	}

	/**
	 * Runs it so often, as quickly as the workers take it, on an empty sandbox.
	 *
	 * @param messages that all runs send together
	 * @returns the time from the first post to the last message, in ms
	 * @throws Error unless each message was accepted and each execution succeeded
	 */
	async runOften({ id, url }: Published, runs: number, messages: number) {
		const { client } = this.queue.main;
		await this.sandbox.client.reset();
		const before = (await client.executions(id)).length;
		const cpuBefore = this.cpuTimes();
		const started = performance.now();
		let posted = 0;
		const post = async () => {
			while (posted++ < runs) await this.post(url);
		};
		await Promise.all(Array.from({ length: atOnce }, post));
		const accepted = async () => (await this.sandbox.client.timesAccepted({})) >= messages;
		await until('all is sent', accepted, { limit, interval: 50 });
		const ms = performance.now() - started;
		const ended = async () => {
			const executions = await client.executions(id);
			const failed = executions.find(({ status }) => status === 'error' || status === 'crashed');
			if (failed) throw new Error(`Execution ${failed.id}: ${failed.status}`);
			return executions.filter(({ status }) => status === 'success').length === before + runs;
		};
		await until('all executions have ended', ended, { limit, interval: 500 });
		const times = await this.sandbox.client.timesAccepted({});
		if (times !== messages) throw new Error(`${times} messages accepted, not ${messages}`);
		return { ms, cpu: difference(this.cpuTimes(), cpuBefore) };
	}

	private async post(url: string): Promise<void> {
		const { statusCode, body } = await request(url, { method: 'POST', dispatcher: this.agent });
		await body.dump();
		if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
	}

	private cpuTimes(): CpuTimes {
		const { main, webhooks, workers, postgres, redis } = this.queue;
		const sum = (started: Array<{ pid: number }>) =>
			started.reduce((total, { pid }) => total + cpuTimeOfTree(pid), 0);
		return {
			workers: sum(workers),
			'webhook process': sum(webhooks),
			main: sum([main]),
			PostgreSQL: sum([postgres]),
			Redis: sum([redis]),
		};
	}
}

async function publishKeyStores({ main, credentials }: QueueMode): Promise<Map<string, string>> {
	const references: Record<string, CredentialReference> = {};
	for (const [type, access] of Object.entries(credentials)) {
		references[type] = await main.client.createCredential(access, type);
	}
	const ids = await importExamples(main.client, references);
	await publishSubWorkflows(main.client, ids);
	return ids;
}

const difference = (after: CpuTimes, before: CpuTimes): CpuTimes =>
	Object.fromEntries(processes.map((name) => [name, after[name] - before[name]])) as CpuTimes;
