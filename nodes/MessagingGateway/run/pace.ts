import type { Halt } from '../../shared/halt';

/**
 * Spreads requests evenly: the returned function waits until the next one may start, and gives
 * false when the run is stopped first. Time that a busy machine lost is not made up for.
 *
 * @param perSecond 0 means no limit
 */
export function pace(perSecond: number, halt: Halt): () => Promise<boolean> {
	if (!(perSecond > 0)) return async () => !halt.isStopped;
	const gapMs = 1000 / perSecond;
	let next = 0;
	let last: Promise<unknown> = Promise.resolve();

	const turn = async (): Promise<boolean> => {
		const waitMs = next - Date.now();
		const mayStart = waitMs > 0 ? await halt.pause(waitMs) : !halt.isStopped;
		next = Date.now() + gapMs;
		return mayStart;
	};
	return async () => {
		const mine = last.then(turn);
		last = mine;
		return await mine;
	};
}
