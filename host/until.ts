import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT = 120_000; // ms; generous, since the machine may be busy

/**
 * Waits until a condition holds.
 *
 * @throws Error naming what it waited for
 */
export async function until(
	what: string,
	holds: () => boolean | Promise<boolean>,
	{ limit = LIMIT, interval = 100 } = {},
): Promise<void> {
	const end = Date.now() + limit;
	while (!(await holds())) {
		if (Date.now() > end) throw new Error(`Gave up waiting until ${what}`);
		await sleep(interval);
	}
}
