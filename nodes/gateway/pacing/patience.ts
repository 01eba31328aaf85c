import { sleep } from 'n8n-workflow';

/** Growing pauses, in ms, before a dependency that fails is asked again. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** For how long a dependency, such as a database that restarts, may fail or be silent, in ms. */
export const patienceMs = 60_000;

/**
 * Asks again after what may pass.
 *
 * @param mayPass whether an error may be gone after a pause of so many ms; else it is thrown
 */
export async function patiently<T>(
	ask: () => Promise<T>,
	mayPass: (error: Error, pauseMs: number) => boolean,
): Promise<T> {
	for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
		const pause = pauseMs;
		const answer = await ask()
			.then((value) => ({ value }))
			.catch((error: Error) => {
				if (!mayPass(error, pause)) throw error;
			});
		if (answer) return answer.value;
		await sleep(pauseMs);
	}
}
