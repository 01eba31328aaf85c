import { sleep } from 'n8n-workflow';

import type { Outcome } from '../outcome';
import type { CircuitBreaker } from './circuitBreaker';
import type { Limiter, Turn } from './limiter';
import { longestTimerMs } from './queues';
import { isRateLimited } from './rate';

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

/**
 * Runs a task with a signal that aborts when its time is up or it is cancelled. Ends then in any
 * case, even if the task ignores the signal.
 *
 * A signal measures the time, as `sleep` would leave a timer for each request before n8n-workflow 2.34.
 *
 * @throws what the task throws, or an Error with the code `ETIMEDOUT` or `ERR_CANCELED`
 */
export async function withTimeout<T>(
	ms: number,
	cancel: AbortSignal | undefined,
	task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const clock = AbortSignal.timeout(Math.min(Math.ceil(ms), longestTimerMs));
	const end = new AbortController(); // its own, since nothing may keep the clock, which outlives the task
	let onAbort: (event: Event) => void;
	const ended = new Promise<never>((_, reject) => {
		onAbort = ({ target }) => {
			const code = target === cancel ? 'ERR_CANCELED' : 'ETIMEDOUT';
			reject(Object.assign(new Error(code), { code })); // before the task does
			end.abort();
		};
	});
	clock.addEventListener('abort', onAbort!);
	cancel?.addEventListener('abort', onAbort!);
	try {
		return await Promise.race([task(end.signal), ended]);
	} finally {
		clock.removeEventListener('abort', onAbort!);
		cancel?.removeEventListener('abort', onAbort!);
	}
}

/** The first and the longest of the growing pauses, in ms, before a dependency that fails is asked again. */
const firstRetryPauseMs = 200;
const longestRetryPauseMs = 5_000;

/** The time, in ms, for which a dependency, such as a database that restarts, may fail or be silent. */
export const dependencyTimeoutMs = 60_000;

/**
 * Calls a dependency again, after pauses, while it fails in a way that may pass.
 *
 * @throws what failed last, `isTimeout` if its time was up
 */
export async function retryWhileTransient<T>(
	ask: () => Promise<T>,
	ms = dependencyTimeoutMs,
	isTransient: (error: Error) => boolean = () => true,
): Promise<T> {
	const end = performance.now() + ms;
	for (let pauseMs = firstRetryPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestRetryPauseMs)) {
		const asked = ask().then((answer) => ({ answer }));
		const isLast = performance.now() + pauseMs >= end;
		const answered = await asked.catch((error: Error) => {
			if (!isTransient(error) || isLast)
				throw Object.assign(error, { isTimeout: isTransient(error) });
		});
		if (answered) return answered.answer;
		await sleep(pauseMs);
	}
}
