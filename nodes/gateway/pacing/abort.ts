import { sleep } from 'n8n-workflow';

import { longestTimerMs } from './deadline';

/** Stops a run: its waits end at once and no new request may start. */
export class Abort {
	private readonly waits = new Set<AbortController>();
	isStopped = false;
	private resolveStopped = () => {};

	readonly stopped = new Promise<void>((resolve) => (this.resolveStopped = resolve));

	stop(): void {
		this.isStopped = true;
		this.resolveStopped();
		this.waits.forEach((wait) => wait.abort());
	}

	/** @returns false if the run was stopped before or meanwhile */
	async pause(ms: number): Promise<boolean> {
		if (this.isStopped) return false;
		const wait = new AbortController();
		this.waits.add(wait);
		// A race, as `sleep` ignores the signal before n8n-workflow 2.34.
		await Promise.race([
			sleep(Math.min(ms, longestTimerMs), wait.signal).catch(() => {}),
			this.stopped,
		]);
		this.waits.delete(wait);
		return !this.isStopped;
	}
}
