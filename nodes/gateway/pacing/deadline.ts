/** A longer timer would end at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs a task with a signal that aborts when its time is up or it is cancelled. Ends then in any
 * case, even if the task ignores the signal.
 *
 * A signal measures the time, as `sleep` would leave a timer for each request before n8n-workflow 2.34.
 *
 * @throws what the task throws, or an Error with the code `ETIMEDOUT` or `ERR_CANCELED`
 */
export async function within<T>(
	ms: number,
	cancel: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const end = new AbortController();
	const stopListening: Array<() => void> = [];
	const ended = new Promise<never>((_, reject) => {
		const endOn = (signal: AbortSignal | undefined, code: string) => {
			const onAbort = () => {
				reject(Object.assign(new Error(code), { code })); // before the task does
				end.abort();
			};
			signal?.addEventListener('abort', onAbort);
			stopListening.push(() => signal?.removeEventListener('abort', onAbort));
		};
		endOn(AbortSignal.timeout(Math.min(Math.ceil(ms), longestTimerMs)), 'ETIMEDOUT');
		endOn(cancel, 'ERR_CANCELED');
	});
	try {
		return await Promise.race([task(end.signal), ended]);
	} finally {
		stopListening.forEach((stop) => stop());
	}
}
