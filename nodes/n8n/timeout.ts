/** The longest timer, in ms: Node.js would end a longer one at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs a task with a signal that aborts when its time is up or it is cancelled. Ends then even if the task ignores
 * it. A signal measures the time: `sleep` leaves a timer for each request before n8n-workflow 2.34.
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
