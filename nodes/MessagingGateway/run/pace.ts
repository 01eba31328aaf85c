import type { Halt } from '../../shared/halt';

/**
 * Spreads requests evenly. The returned function waits until the next one may start; it gives
 * false when the run is stopped first.
 *
 * @param perSecond 0 means no limit
 */
export function pace(perSecond: number, halt: Halt): () => Promise<boolean> {
	const gapMs = perSecond > 0 ? 1000 / perSecond : 0;
	let next = 0;
	return async () => {
		const now = Date.now();
		const start = Math.max(now, next);
		next = start + gapMs;
		return start > now ? await halt.pause(start - now) : !halt.isStopped;
	};
}
