import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hostFolder, n8nBinary, nodeBinary } from './paths';

const STOP_LIMIT = 15_000; // ms; n8n itself gives running executions 10 s

/** One n8n process, writing to a log file, that never outlives the process which started it. */
export class N8nProcess {
	/** The exit code, or the signal that ended the process. */
	readonly exited: Promise<number | NodeJS.Signals | null>;

	private readonly child: ChildProcess;

	/** @param args n8n's command, e.g. `['start']` or `['worker']` */
	constructor(
		args: string[],
		env: NodeJS.ProcessEnv,
		readonly logFile: string,
	) {
		const log = openSync(logFile, 'a');
		const preload = path.join(hostFolder, 'stopWithParent.mts');
		this.child = spawn(nodeBinary, ['--import', preload, n8nBinary, ...args], {
			env,
			stdio: ['ignore', log, log, 'ipc'],
			detached: true, // a process group of its own, which n8n's task runners belong to
		});
		closeSync(log);
		this.exited = new Promise((resolve, reject) => {
			this.child.once('error', reject);
			this.child.once('exit', (code, signal) => resolve(code ?? signal));
		});
	}

	get pid(): number {
		if (this.child.pid === undefined) throw new Error('n8n could not be started');
		return this.child.pid;
	}

	get running(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	logs(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	/** Asks n8n to end and, if it takes too long, ends it. */
	async stop(): Promise<void> {
		if (!this.running) return;
		this.child.kill('SIGTERM');
		const limit = setTimeout(() => this.kill(), STOP_LIMIT);
		await this.exited.finally(() => clearTimeout(limit));
	}

	/** What a power cut does: n8n and its task runners end at once. */
	kill(): void {
		if (this.running) process.kill(-this.pid, 'SIGKILL');
	}
}
