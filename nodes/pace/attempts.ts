import { isRateLimited, type Outcome } from '../service/outcome';
import type { CircuitBreaker } from './circuitBreaker';
import type { Turn, Limiter } from './limiter';

export interface RetryPolicy extends Turn {
	/** Whether the service may carry the request out twice. It never may with a send. */
	idempotent: boolean;
	/** The number of attempts after the first one, except those that only waited for their turn. */
	maxRetries: number;
	limiter: Limiter;
	/** Of a request that must not be repeated. */
	breaker?: CircuitBreaker;
}

const firstBackoffMs = 500;
const longestBackoffMs = 60_000;

/** The time, in ms, after which one more refusal uses up a retry even if others wait for the same. */
const longestTurnMs = 5 * 60_000;

/** An attempt of a request that may leave now. */
export interface Attempt {
	/** Call with what came of it. Returns it with whose refusal it is, if it is one. */
	end(outcome: Outcome): Outcome;
	/** The pause before the next attempt, in ms. Undefined: none follows. */
	pauseMs?: number;
}

/**
 * Gives one attempt of a request after the other, each once it may leave. Whoever makes them says what came of
 * each: one more follows where the request was refused for now. One with an unknown outcome may have been
 * carried out: it is repeated only if it is idempotent. An attempt keeps its place, also for the pause after
 * it. Without an end, nothing has left.
 */
export async function* attemptsOf(policy: RetryPolicy): AsyncGenerator<Attempt> {
	const { idempotent, maxRetries, limiter, breaker = limiter, abort } = policy;
	let { accepted } = limiter;
	let refusedAt: number | undefined;
	let retries = 0;
	for (let tries = 0; ; tries++) {
		const permit = await breaker.enter(policy);
		if (!permit) return;
		const attempt: Attempt = {
			end(ended) {
				const outcome = permit.end(ended);
				if (maxRetries === 0 || !mayRepeat(outcome, idempotent)) return outcome;
				refusedAt ??= performance.now();
				// While the service accepts others, being one of those too many does not use up a retry.
				const waitsItsTurn =
					isRateLimited(outcome) &&
					!outcome.own &&
					limiter.accepted > accepted &&
					performance.now() - refusedAt < longestTurnMs;
				({ accepted } = limiter);
				if (waitsItsTurn || ++retries <= maxRetries) attempt.pauseMs = backoffMs(outcome, tries);
				return outcome;
			},
		};
		try {
			yield attempt;
			if (attempt.pauseMs === undefined) return;
			await abort.pause(attempt.pauseMs);
		} finally {
			permit.release();
		}
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
