import { pause } from '../../shared/retry';

/**
 * Spreads requests evenly. The returned function waits until the next one may start; it gives
 * false when the signal came first.
 *
 * @param perSecond 0 means no limit
 */
export function pace(perSecond: number, signal: AbortSignal): () => Promise<boolean> {
	const gapMs = perSecond > 0 ? 1000 / perSecond : 0;
	let next = 0;
	return async () => {
		const now = Date.now();
		const start = Math.max(now, next);
		next = start + gapMs;
		if (start > now) await pause(start - now, signal);
		return !signal.aborted;
	};
}
