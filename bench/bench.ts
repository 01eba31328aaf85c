import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
import type { FaultRule } from '../sandbox/types';
import { CpuMeter } from './cpuMeter';
import { startSandboxProcess, type SandboxProcess } from './sandboxProcess';

/** Before an idle host's memory is read, in ms. */
const rest = 5_000;

/** A run in which other processes take more than this share of the CPUs is repeated … */
const tolerance = 0.1;
/** … until so much time has been spent on a workload's repetitions and waits, in ms. */
const patience = 120_000;

export interface BenchCredential extends CredentialReference {
	baseUrl: string;
}

/** What stays the same through a run of the benchmark. */
export interface Setup {
	/** The package, packed. */
	tarball: string;
	/** For whatever is made on the way. */
	folder: string;
	/** Fewer items and rounds: shows that the benchmark works, not how fast the node is. */
	quick: boolean;
}

/** A fresh n8n with this package and the benchmark's own nodes, and a sandbox. */
export class Bench {
	/** Largest share of the CPUs that others took in a run that counts. */
	disturbance = 0;

	private patience = patience;

	private constructor(
		readonly host: Host,
		readonly sandbox: SandboxProcess,
		readonly credential: BenchCredential,
	) {}

	/** Starts one for a task and ends it after. */
	static async with<T>(
		setup: Setup,
		task: (bench: Bench) => Promise<T>,
		env: Record<string, string> = {},
	): Promise<T> {
		const nodes = path.join(setup.folder, 'nodes');
		buildNodes(nodes);
		const sandbox = await startSandboxProcess();
		try {
			const environment = {
				N8N_CUSTOM_EXTENSIONS: nodes,
				N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
				...env,
			};
			const host = await startHost({ tarball: setup.tarball, env: environment });
			try {
				const { credential } = sandbox;
				const reference = await host.client.createCredential(credential);
				return await task(new Bench(host, sandbox, { ...reference, baseUrl: credential.baseUrl }));
			} finally {
				await host.stop();
			}
		} finally {
			await sandbox.stop();
		}
	}

	/** Runs a workflow once, on an empty sandbox with these faults. */
	async execute(workflow: WorkflowJson, ...faults: FaultRule[]): Promise<FinishedExecution> {
		await this.sandbox.client.reset();
		for (const fault of faults) await this.sandbox.client.fault(fault);
		return await this.run(await this.host.client.createWorkflow(workflow));
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

	/** Repeats a task while other processes keep the machine busy. The least disturbed run counts. */
	async undisturbed<T>(task: () => Promise<T>): Promise<T> {
		const pids = [this.host.pid, this.sandbox.pid];
		let best: { value: T; share: number } | undefined;
		for (;;) {
			await this.waitForQuiet(pids);
			const started = Date.now();
			const meter = new CpuMeter(pids);
			const value = await task();
			const share = meter.othersShare();
			if (!best || share < best.share) best = { value, share };
			if (best.share > tolerance) this.patience -= Date.now() - started;
			if (best.share <= tolerance || this.patience <= 0) break;
		}
		this.disturbance = Math.max(this.disturbance, best.share);
		return best.value;
	}

	private async waitForQuiet(pids: number[]): Promise<void> {
		while (this.patience > 0) {
			const meter = new CpuMeter(pids);
			await sleep(500);
			if (meter.othersShare() <= tolerance) return;
			this.patience -= 500;
		}
	}

	/** Highest memory of the n8n process during a task, above what it has when idle, in bytes. */
	async peakOverIdle(task: () => Promise<unknown>): Promise<number> {
		await sleep(rest);
		const idle = this.host.memory()?.current ?? NaN;
		this.host.resetPeakMemory();
		await task();
		return (this.host.memory()?.peak ?? NaN) - idle;
	}
}

/** A way that makes n8n busy for seconds leads to closed connections and 'Database is not ready!'. */
const isOverloaded = (error: unknown): boolean =>
	error instanceof HostRequestError ? error.status === 503 : error instanceof TypeError;

/** Time that a node took in an execution, in ms. */
export function nodeTime(execution: FinishedExecution, ...nodes: string[]): number {
	return nodes
		.map((name) => execution.data.resultData.runData[name]?.at(-1)?.executionTime ?? NaN)
		.reduce((sum, ms) => sum + ms, 0);
}

/** Builds the nodes of bench/nodes; n8n loads a folder in N8N_CUSTOM_EXTENSIONS as `CUSTOM.<name>`. */
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
