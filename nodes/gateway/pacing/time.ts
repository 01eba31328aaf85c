import { sleep } from 'n8n-workflow';

/** Returns milliseconds that only ever go on, whatever happens to the machine's clock: for waits, not for dates. */
export const ticks = (): number => performance.now();

/** The longest timer, in ms: Node.js would end a longer one at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs a task with a signal that aborts when its time is up or it is cancelled. Ends then in any
 * case, even if the task ignores the signal.
 *
 * A signal measures the time, as `sleep` would leave a timer for each request before n8n-workflow 2.34.
 *
 * @throws what the task throws, or an Error with the code `ETIMEDOUT` or `ERR_CANCELED`
 */
export async function withTimeout<T>(
	ms: number,
	cancel: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const clock = AbortSignal.timeout(Math.min(Math.ceil(ms), longestTimerMs));
	const end = new AbortController(); // its own, since nothing may keep the clock, which outlives the task
	let onAbort: (event: Event) => void;
	const ended = new Promise<never>((_, reject) => {
		onAbort = ({ target }) => {
			const code = target === cancel ? 'ERR_CANCELED' : 'ETIMEDOUT';
			reject(Object.assign(new Error(code), { code })); // before the task does
			end.abort();
		};
	});
	clock.addEventListener('abort', onAbort!);
	cancel?.addEventListener('abort', onAbort!);
	try {
		return await Promise.race([task(end.signal), ended]);
	} finally {
		clock.removeEventListener('abort', onAbort!);
		cancel?.removeEventListener('abort', onAbort!);
	}
}

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
}

/** The first and the longest of the growing pauses, in ms, before a dependency that fails is asked again. */
const firstRetryPauseMs = 200;
const longestRetryPauseMs = 5_000;

/** The time, in ms, for which a dependency, such as a database that restarts, may fail or be silent. */
export const dependencyTimeoutMs = 60_000;

/**
 * Calls a dependency again, after pauses, while it fails in a way that may pass.
 *
 * @throws what failed last, `isTimeout` if its time was up
 */
export async function retryWhileTransient<T>(
	ask: () => Promise<T>,
	ms = dependencyTimeoutMs,
	isTransient: (error: Error) => boolean = () => true,
): Promise<T> {
	const end = ticks() + ms;
	for (let pauseMs = firstRetryPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestRetryPauseMs)) {
		const asked = ask().then((answer) => ({ answer }));
		const isLast = ticks() + pauseMs >= end;
		const answered = await asked.catch((error: Error) => {
			if (!isTransient(error) || isLast)
				throw Object.assign(error, { isTimeout: isTransient(error) });
		});
		if (answered) return answered.answer;
		await sleep(pauseMs);
	}
}
