import type { Outcome } from '../outcome';
import { ticks } from './time';
import type { Attempt, Limiter, Turn } from './limiter';
import { isRateLimited } from './rate';

export interface RetryPolicy extends Turn {
	/** Whether the service may carry the request out twice. It never may with a send. */
	idempotent: boolean;
	/** The number of attempts after the first one, except those that only waited for their turn. */
	maxRetries: number;
	limiter: Limiter;
	/** Gets the outcome of each attempt. */
	onOutcome?(outcome: Outcome): void;
}

const firstBackoffMs = 500;
const longestBackoffMs = 60_000;

/** The time, in ms, after which one more refusal uses up a retry even if others wait for the same. */
const longestTurnMs = 5 * 60_000;

/**
 * Repeats a request that was refused for now. One with an unknown outcome may have been carried out:
 * it is repeated only if it is idempotent.
 *
 * @returns the final outcome, or undefined if not even one attempt was made
 */
export async function withRetries(
	attempt: Attempt,
	{ idempotent, maxRetries, limiter, onOutcome, ...turn }: RetryPolicy,
): Promise<Outcome | undefined> {
	let outcome: Outcome | undefined;
	let { accepted } = limiter;
	let refusedAt: number | undefined;
	limiter.users++;
	try {
		for (let tries = 0, retries = 0; ; tries++) {
			const next = await limiter.run(attempt, turn);
			if (!next) break;
			onOutcome?.(next);
			outcome = mergeOutcomes(outcome, next);
			if (maxRetries === 0 || !mayRepeat(next, idempotent)) break;
			refusedAt ??= ticks();
			// While the service accepts others, being one of those too many does not use up a retry.
			const waitsItsTurn =
				isRateLimited(next) &&
				!next.own &&
				limiter.accepted > accepted &&
				ticks() - refusedAt < longestTurnMs;
			if (!waitsItsTurn && ++retries > maxRetries) break;
			accepted = limiter.accepted;
			if (!(await turn.abort.pause(backoffMs(next, tries)))) break;
		}
		return outcome ?? limiter.activeRefusal(turn.recipient);
	} finally {
		limiter.users--;
	}
}

/** Returns the outcome so far. A request that may have been carried out once is never reported as refused. */
function mergeOutcomes(earlier: Outcome | undefined, next: Outcome): Outcome {
	return earlier?.kind === 'unknown' && next.kind === 'refused' ? earlier : next;
}

function mayRepeat(outcome: Outcome, idempotent: boolean): boolean {
	if (outcome.kind === 'refused') return outcome.forNow;
	return outcome.kind === 'unknown' && idempotent && outcome.reason.kind !== 'tooLarge';
}

/** Returns an exponential backoff with full jitter, in ms. If the service asked for a pause, the limiter waits. */
export function backoffMs(outcome: Outcome, tries: number): number {
	if (isRateLimited(outcome) && outcome.retryAfterMs !== undefined) return 0;
	return Math.min(Math.random() * firstBackoffMs * 2 ** tries, longestBackoffMs);
}
