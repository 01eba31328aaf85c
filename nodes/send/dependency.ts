import { sleep } from 'n8n-workflow';

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
	const end = performance.now() + ms;
	for (let pauseMs = firstRetryPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestRetryPauseMs)) {
		const asked = ask().then((answer) => ({ answer }));
		const isLast = performance.now() + pauseMs >= end;
		const answered = await asked.catch((error: Error) => {
			if (!isTransient(error) || isLast)
				throw Object.assign(error, { isTimeout: isTransient(error) });
		});
		if (answered) return answered.answer;
		await sleep(pauseMs);
	}
}
