import { sleep } from 'n8n-workflow';

import { longestTimerMs } from './deadline';

/** Stops a run: ends its waits at once, and tells that no new request may start. */
export class Abort {
	private readonly waits = new Set<AbortController>();
	private hasStopped = false;
	private resolveStopped = () => {};

	/** Resolves when the run is stopped. */
	readonly stopped = new Promise<void>((resolve) => (this.resolveStopped = resolve));

	get isStopped(): boolean {
		return this.hasStopped;
	}

	stop(): void {
		this.hasStopped = true;
		this.resolveStopped();
		this.waits.forEach((wait) => wait.abort());
	}

	/** Waits; gives false when the run is stopped before or meanwhile. */
	async pause(ms: number): Promise<boolean> {
		if (this.hasStopped) return false;
		const wait = new AbortController();
		this.waits.add(wait);
		// Raced, since `sleep` of n8n-workflow before 2.34 heeds no signal: its timer runs out later.
		await Promise.race([
			sleep(Math.min(ms, longestTimerMs), wait.signal).catch(() => {}),
			new Promise((resolve) => wait.signal.addEventListener('abort', resolve)),
		]);
		this.waits.delete(wait);
		return !this.hasStopped;
	}
}
