import type { Abort } from './abort';
import type { Outcome } from '../outcome';
import { isLimit, type Attempt, type Limiter } from './limiter';

export interface RetryPolicy {
	/** Whether carrying the request out twice does no harm. A send never is. */
	idempotent: boolean;
	/** Attempts after the first one, those not counted that only waited for their turn. */
	maxRetries: number;
	/** Gives each attempt its turn, among those of all items. */
	limiter: Limiter;
	/** Requests per second that the user allows. */
	most?: number;
	/** Ends a wait between attempts. */
	abort: Abort;
}

const firstWaitMs = 500;
const longestWaitMs = 60_000;

/**
 * Makes attempts until an outcome stands. Refused for now is tried again; unknown only where the
 * request is idempotent, since it may have been carried out.
 *
 * @returns the last outcome, or undefined when not even the first attempt was made
 */
export async function withRetries(
	attempt: Attempt,
	{ idempotent, maxRetries, limiter, most, abort }: RetryPolicy,
): Promise<Outcome | undefined> {
	let outcome: Outcome | undefined;
	let { accepted } = limiter;
	for (let tries = 0, retries = 0; ; tries++) {
		const next = await limiter.run(attempt, { abort, most });
		if (!next) break;
		outcome = after(outcome, next);
		if (maxRetries === 0 || !mayRepeat(next, idempotent)) break;
		// While the service goes on accepting, being one too many is no reason to give up.
		const waitsItsTurn = isLimit(next) && limiter.accepted > accepted;
		if (!waitsItsTurn && ++retries > maxRetries) break;
		accepted = limiter.accepted;
		if (!(await abort.pause(waitMs(next, tries)))) break;
	}
	return outcome ?? limiter.closedBy;
}

/** What may have been carried out once is never reported as refused. */
function after(earlier: Outcome | undefined, next: Outcome): Outcome {
	return earlier?.kind === 'unknown' && next.kind === 'refused' ? earlier : next;
}

function mayRepeat(outcome: Outcome, idempotent: boolean): boolean {
	if (outcome.kind === 'refused') return outcome.forNow;
	// What was too large once is so each time.
	return outcome.kind === 'unknown' && idempotent && outcome.reason.kind !== 'tooLarge';
}

/** Grows with full jitter; what the service asks for itself, the limiter waits. */
export function waitMs(outcome: Outcome, tries: number): number {
	if (isLimit(outcome) && outcome.retryAfterMs !== undefined) return 0;
	return Math.min(Math.random() * firstWaitMs * 2 ** tries, longestWaitMs);
}
