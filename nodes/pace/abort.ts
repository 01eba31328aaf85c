import { sleep } from 'n8n-workflow';

import { longestTimerMs } from '../n8n/timeout';

/** Stops a run: its waits end at once and no new request may start. */
export class Abort {
	isStopped = false;
	private resolveStopped = () => {};
	readonly stopped = new Promise<void>((resolve) => (this.resolveStopped = resolve));

	stop(): void {
		this.isStopped = true;
		this.resolveStopped();
	}

	/** @returns false if the run was stopped before or meanwhile */
	async pause(ms: number): Promise<boolean> {
		if (this.isStopped) return false;
		const wait = new AbortController(); // its own: Node.js warns of one with more than ten listeners
		// A race, as `sleep` ignores the signal before n8n-workflow 2.34.
		await Promise.race([
			sleep(Math.min(ms, longestTimerMs), wait.signal).catch(() => {}),
			this.stopped,
		]);
		wait.abort(); // ends its timer
		return !this.isStopped;
	}

	/**
	 * Waits until a time by `performance.now()`, which may change meanwhile: a timer may end too early as well.
	 *
	 * @returns false if the run is stopped, or the wait is not wanted any more
	 */
	async waitUntil(time: () => number, isWanted = () => true): Promise<boolean> {
		while (!this.isStopped && isWanted()) {
			const waitMs = time() - performance.now();
			if (waitMs <= 0) return true;
			await this.pause(Math.ceil(waitMs));
		}
		return false;
	}
}
