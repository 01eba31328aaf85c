import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT = 120_000; // ms; generous, since the machine may be busy

// ms; the pauses grow, since each request takes n8n some 15 ms of CPU time
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 500;

/**
 * Waits until something is there, and returns it.
 *
 * @param read returns undefined or false as long as it is not
 * @param interval in ms, for pauses that do not grow
 * @throws Error naming what it waited for
 */
export async function until<T>(
	what: string,
	read: () => T | Promise<T>,
	{ limit = LIMIT, interval }: { limit?: number; interval?: number } = {},
): Promise<Exclude<T, false | undefined>> {
	const end = Date.now() + limit;
	for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
		const value = await read();
		if (value !== undefined && value !== false) return value as Exclude<T, false | undefined>;
		if (Date.now() > end) throw new Error(`Gave up waiting until ${what}`);
		await sleep(interval ?? pause);
	}
}
