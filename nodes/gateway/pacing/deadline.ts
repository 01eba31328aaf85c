/** What a timer can hold; a longer one would end at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs a task that may take so long, with a signal that aborts when its time is up or when it is
 * cancelled. Ends then in any case, whether or not the task heeds the signal.
 *
 * The clock is a signal, which goes when nobody listens to it any more; n8n's `sleep` would leave a
 * timer for each request on n8n-workflow before 2.34.
 *
 * @throws whatever the task throws, or an Error with the code `ETIMEDOUT` or `ERR_CANCELED`
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
				reject(Object.assign(new Error(code), { code })); // before what the task makes of it
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
