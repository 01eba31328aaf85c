import { until } from '../../../host/until';

/**
 * Published triggers look after their registration in each third minute, on a busy machine a little
 * later. Returns after such a minute, with three quarters of a minute to go until the next.
 */
export const untilNoLookIsDue = async (): Promise<void> =>
	await until('no look is due', () => isBetween((Date.now() / 1000) % 180, 80, 135), {
		limit: 200_000,
	});

const isBetween = (value: number, least: number, most: number): boolean =>
	value >= least && value < most;
