import type { Outcome } from '../outcome';
import { ticks } from './time';
import type { Limiter, Permit, Turn } from './limiter';
import { isRateLimited } from './rate';

export interface RetryPolicy extends Turn {
	/** Whether the service may carry the request out twice. It never may with a send. */
	idempotent: boolean;
	/** The number of attempts after the first one, except those that only waited for their turn. */
	maxRetries: number;
	limiter: Limiter;
}

const firstBackoffMs = 500;
const longestBackoffMs = 60_000;

/** The time, in ms, after which one more refusal uses up a retry even if others wait for the same. */
const longestTurnMs = 5 * 60_000;

/**
 * Says when each attempt of a request may leave. Whoever makes them says what came of each: one more
 * follows where the request was refused for now. One with an unknown outcome may have been carried out:
 * it is repeated only if it is idempotent. If it says nothing, nothing has left.
 */
export async function* attemptsOf(policy: RetryPolicy): AsyncGenerator<Permit> {
	const { idempotent, maxRetries, limiter, abort } = policy;
	let { accepted } = limiter;
	let refusedAt: number | undefined;
	for (let tries = 0, retries = 0; ; tries++) {
		const permit = await limiter.enter(policy);
		if (!permit) return;
		try {
			yield permit;
		} finally {
			permit.release();
		}
		const { outcome } = permit;
		if (!outcome || maxRetries === 0 || !mayRepeat(outcome, idempotent)) return;
		refusedAt ??= ticks();
		// While the service accepts others, being one of those too many does not use up a retry.
		const waitsItsTurn =
			isRateLimited(outcome) &&
			!outcome.own &&
			limiter.accepted > accepted &&
			ticks() - refusedAt < longestTurnMs;
		if (!waitsItsTurn && ++retries > maxRetries) return;
		accepted = limiter.accepted;
		if (!(await abort.pause(backoffMs(outcome, tries)))) return;
	}
}

/** Returns the outcome so far. A request that may have been carried out once is never reported as refused. */
export const mergeOutcomes = (earlier: Outcome | undefined, next: Outcome): Outcome =>
	earlier?.kind === 'unknown' && next.kind === 'refused' ? earlier : next;

function mayRepeat(outcome: Outcome, idempotent: boolean): boolean {
	if (outcome.kind === 'refused') return outcome.forNow;
	return outcome.kind === 'unknown' && idempotent && outcome.reason.kind !== 'tooLarge';
}

/** Returns an exponential backoff with full jitter, in ms. If the service asked for a pause, the limiter waits. */
export function backoffMs(outcome: Outcome, tries: number): number {
	if (isRateLimited(outcome) && outcome.retryAfterMs !== undefined) return 0;
	return Math.min(Math.random() * firstBackoffMs * 2 ** tries, longestBackoffMs);
}
