import type { ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchContainer } from './container/launch';
import { launchProcess, type Launched } from './launch';
import { pinned, type Installation } from './paths';

const STOP_LIMIT = 15_000; // ms; n8n itself gives running executions 10 s

/** An n8n process with a log file. It never outlives the process that started it. */
export class N8nProcess {
	/** The exit code, or the signal that ended the process. */
	readonly exited: Promise<number | NodeJS.Signals | null>;
	private readonly launched: Launched;
	private readonly child: ChildProcess;
	/** Bytes in the log file from an earlier process. */
	private readonly loggedBefore: number;

	/** @param args n8n's command, e.g. `['start']` or `['worker']` */
	constructor(
		args: string[],
		env: NodeJS.ProcessEnv,
		readonly logFile: string,
		n8n: Installation = pinned,
	) {
		const log = openSync(logFile, 'a');
		this.loggedBefore = fstatSync(log).size;
		this.launched =
			'image' in n8n ? launchContainer(n8n, args, env, log) : launchProcess(n8n, args, env, log);
		this.child = this.launched.child;
		this.child.unref(); // this process can end without stopping n8n, which then ends too
		this.child.channel?.unref();
		closeSync(log);
		this.exited = new Promise((resolve, reject) => {
			this.child.once('error', reject);
			this.child.once('exit', (code, signal) => resolve(code ?? signal));
		});
	}

	get pid(): number {
		const { pid } = this.launched;
		if (pid === undefined) throw new Error('n8n could not be started');
		return pid;
	}

	get running(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	logs(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	hasLogged(text: string): boolean {
		return readFileSync(this.logFile).indexOf(text, this.loggedBefore) >= 0;
	}

	/** Asks n8n to end, and kills it if that takes too long. */
	async stop(): Promise<void> {
		if (this.running) this.child.kill('SIGTERM');
		const limit = setTimeout(() => void this.kill(), STOP_LIMIT);
		await this.exited;
		clearTimeout(limit);
		await this.kill();
	}

	/** Kills n8n and its task runners, like a power cut. */
	async kill(): Promise<void> {
		while (this.launched.signal('SIGKILL')) await sleep(20);
	}

	/** Freezes the process until `resume`, as on a machine that swaps or is migrated. */
	pause(): void {
		this.launched.signal('SIGSTOP');
	}

	resume(): void {
		this.launched.signal('SIGCONT');
	}
}
