import type { Abort } from './abort';
import type { Outcome } from '../outcome';
import type { Attempt, Limiter } from './limiter';
import { isLimit } from './rate';

export interface RetryPolicy {
	/** Whether the request can safely be carried out twice. A send never can. */
	idempotent: boolean;
	/** Attempts after the first one, except those that only waited for their turn. */
	maxRetries: number;
	limiter: Limiter;
	/** The user's limit in requests per second. */
	most?: number;
	abort: Abort;
}

const firstWaitMs = 500;
const longestWaitMs = 60_000;

/**
 * Repeats a request that was refused for now. One with an unknown outcome may have been carried out:
 * it is repeated only if it is idempotent.
 *
 * @returns the final outcome, or undefined if not even one attempt was made
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
		// While the service accepts others, being one too many does not use up a retry.
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
	return outcome.kind === 'unknown' && idempotent && outcome.reason.kind !== 'tooLarge';
}

/** Exponential backoff with full jitter. If the service asked for a pause, the limiter waits. */
export function waitMs(outcome: Outcome, tries: number): number {
	if (isLimit(outcome) && outcome.retryAfterMs !== undefined) return 0;
	return Math.min(Math.random() * firstWaitMs * 2 ** tries, longestWaitMs);
}
