import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import {
	HostRequestError,
	startHost,
	type CredentialReference,
	type FinishedExecution,
	type Host,
	type WorkflowJson,
} from '../host';
import type { ApiKeySetting, FaultRule } from '../sandbox/types';
import { startSandboxProcess, type SandboxProcess } from './sandboxProcess';

/** Pause before reading the memory of an idle host, in ms. */
const rest = 5_000;

export interface BenchCredential extends CredentialReference {
	baseUrl: string;
}

/** The same for all workloads of a run. */
export interface Setup {
	/** The package, packed. */
	tarball: string;
	/** The folder for temporary files. */
	folder: string;
	/** Fewer items and rounds, to check that the benchmark works. */
	quick: boolean;
}

/** A new n8n with this package and the benchmark's nodes, and a sandbox. */
export class Bench {
	private constructor(
		readonly host: Host,
		readonly sandbox: SandboxProcess,
		readonly credential: BenchCredential,
	) {}

	/** Starts one for a task, and stops it afterwards. */
	static async with<T>(setup: Setup, task: (bench: Bench) => Promise<T>): Promise<T> {
		const nodes = path.join(setup.folder, 'nodes');
		buildNodes(nodes);
		const sandbox = await startSandboxProcess();
		try {
			const env = { N8N_CUSTOM_EXTENSIONS: nodes, N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };
			const host = await startHost({ tarball: setup.tarball, env });
			try {
				const { credential } = sandbox;
				const reference = await host.client.createCredential(credential);
				const account = { ...reference, baseUrl: credential.baseUrl };
				return await task(new Bench(host, sandbox, account));
			} finally {
				await host.stop();
			}
		} finally {
			await sandbox.stop();
		}
	}

	/** Runs a workflow once, with an empty sandbox. */
	async execute(workflow: WorkflowJson): Promise<FinishedExecution> {
		await this.sandbox.call('POST', '/reset');
		return await this.run(await this.host.client.createWorkflow(workflow));
	}

	/** An account that n8n knows nothing of yet, at an empty sandbox with these faults. */
	async newAccount(faults: FaultRule[]): Promise<BenchCredential> {
		const { sandbox } = this;
		const { credential } = sandbox;
		const { baseUrl } = credential;
		const key = randomUUID();
		await sandbox.call('POST', '/reset');
		const apiKey: ApiKeySetting = { id: key, name: key, channel: 'sms', status: 'active', key };
		await sandbox.call('PUT', '/api-keys', [apiKey]);
		for (const fault of faults) await sandbox.call('POST', '/faults', fault);
		const reference = await this.host.client.createCredential({ ...credential, apiKey: key });
		return { ...reference, baseUrl };
	}

	/** Runs a stored workflow. */
	async run(workflowId: string): Promise<FinishedExecution> {
		const { client } = this.host;
		const id = await client.run(workflowId);
		for (let tries = 1; ; tries++) {
			try {
				return await client.waitForExecution(id);
			} catch (error) {
				if (!isOverloaded(error) || tries === 100) throw error;
				await sleep(1000);
			}
		}
	}

	/** Peak memory of the n8n process during a task, above its idle memory, in bytes. */
	async peakOverIdle(task: () => Promise<unknown>): Promise<number> {
		await sleep(rest);
		const { pid } = this.host;
		const idle = memoryOf(pid, 'VmRSS');
		const peakFile = `/proc/${pid}/clear_refs`;
		if (existsSync(peakFile)) writeFileSync(peakFile, '5'); // from here on
		await task();
		return memoryOf(pid, 'VmHWM') - idle;
	}
}

/** Resident memory of a process, in bytes: that of now, or its peak. NaN without /proc. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
	const file = `/proc/${pid}/status`;
	const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
	return Number(kilobytes) * 1024;
}

/** If n8n is busy for seconds, it closes connections and answers 'Database is not ready!'. */
const isOverloaded = (error: unknown): boolean =>
	error instanceof HostRequestError ? error.status === 503 : error instanceof TypeError;

/** Time of all runs of nodes in an execution, in ms. @throws Error when it failed */
export function nodeTime({ data, error }: FinishedExecution, ...nodes: string[]): number {
	if (error) throw new Error(error.message);
	return nodes
		.flatMap((name) => data.resultData.runData[name] ?? { executionTime: NaN })
		.reduce((sum, { executionTime }) => sum + executionTime, 0);
}

/** Builds tools/bench/nodes. n8n loads the folder N8N_CUSTOM_EXTENSIONS as `CUSTOM.<name>`. */
function buildNodes(folder: string): void {
	mkdirSync(folder, { recursive: true });
	const source = path.join(__dirname, 'nodes');
	const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
	for (const file of readdirSync(source)) {
		const text = readFileSync(path.join(source, file), 'utf8');
		const { outputText } = transpileModule(text, { compilerOptions });
		writeFileSync(path.join(folder, file.replace(/\.ts$/, '.js')), outputText);
	}
}
