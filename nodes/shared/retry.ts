import { Halt } from './halt';
import type { Outcome } from './outcome';

export interface RetryPolicy {
	/** Whether carrying the request out twice does no harm. A send never is. */
	idempotent: boolean;
	/** Attempts after the first one. */
	maxRetries: number;
	/** Asked before each attempt, and may wait; false ends the attempts. */
	turn?: () => Promise<boolean>;
	/** Ends a wait between attempts. */
	halt?: Halt;
}

const firstWaitMs = 500;
const longestWaitMs = 60_000;

/**
 * Makes attempts until an outcome stands. Refused for now is tried again; unknown only where the
 * request is idempotent, since it may have been carried out.
 *
 * @returns the last outcome, or undefined when not even the first attempt had its turn
 */
export async function withRetries(
	attempt: () => Promise<Outcome>,
	{ idempotent, maxRetries, turn = async () => true, halt = new Halt() }: RetryPolicy,
): Promise<Outcome | undefined> {
	let outcome: Outcome | undefined;
	for (let retry = 0; await turn(); retry++) {
		outcome = await attempt();
		if (retry >= maxRetries || !mayRepeat(outcome, idempotent)) break;
		if (!(await halt.pause(waitMs(outcome, retry)))) break;
	}
	return outcome;
}

function mayRepeat(outcome: Outcome, idempotent: boolean): boolean {
	if (outcome.kind === 'refused') return outcome.forNow;
	return outcome.kind === 'unknown' && idempotent;
}

/** Grows with full jitter, and is never shorter than what the service asked for, up to a minute. */
export function waitMs(outcome: Outcome, retry: number): number {
	const asked = outcome.kind === 'refused' ? (outcome.retryAfterMs ?? 0) : 0;
	return Math.min(asked + Math.random() * firstWaitMs * 2 ** retry, longestWaitMs);
}
