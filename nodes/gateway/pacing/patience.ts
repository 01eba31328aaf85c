import { sleep } from 'n8n-workflow';

import { ticks } from './clock';

/** Growing pauses, in ms, before a dependency that fails is asked again. */
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** For how long a dependency, such as a database that restarts, may fail or be silent, in ms. */
export const patienceMs = 60_000;

/**
 * Asks again, after pauses, while it fails in a way that may pass.
 *
 * @throws what failed last, `isTimeout` if its time was up
 */
export async function patiently<T>(
	ask: () => Promise<T>,
	ms = patienceMs,
	mayPass: (error: Error) => boolean = () => true,
): Promise<T> {
	const end = ticks() + ms;
	for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
		const asked = ask().then((answer) => ({ answer }));
		const isLast = ticks() + pauseMs >= end;
		const answered = await asked.catch((error: Error) => {
			if (!mayPass(error) || isLast) throw Object.assign(error, { isTimeout: mayPass(error) });
		});
		if (answered) return answered.answer;
		await sleep(pauseMs);
	}
}
