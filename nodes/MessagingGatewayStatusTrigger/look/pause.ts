import type { Outcome } from '../../gateway/outcome';
import type { NodeMemory, Refused } from './nodeMemory';

/** A longer pause of the service is not believed, in ms. */
const longestPauseMs = 24 * 60 * 60 * 1000;

/** Keeps what an answer asks for; of answers that come together, the longest pause counts. */
export function notePause(memory: NodeMemory, account: string, outcome: Outcome): void {
	if (outcome.kind !== 'refused' || outcome.retryAfterMs === undefined) return;
	const until = Date.now() + Math.min(outcome.retryAfterMs, longestPauseMs);
	const { pause } = memory;
	if (pause?.account === account && pause.until >= until) return;
	memory.pause = { account, until, refusal: outcome };
}

/** What the service would answer now, without asking it; undefined where it may be asked. */
export function refusalInPause({ pause }: NodeMemory, account: string): Refused | undefined {
	if (pause?.account !== account) return undefined;
	const retryAfterMs = pause.until - Date.now();
	// A longer one was noted by a clock that was ahead.
	const holds = retryAfterMs > 0 && retryAfterMs <= longestPauseMs;
	return holds ? { ...pause.refusal, retryAfterMs } : undefined;
}
