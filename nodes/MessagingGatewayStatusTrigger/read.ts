import { Abort } from '../gateway/pacing/abort';
import type { Client } from '../gateway/client';
import { Limiter } from '../gateway/pacing/limiter';
import type { Outcome } from '../gateway/outcome';
import { withRetries } from '../gateway/pacing/retry';
import type { Source } from './statusEvent';

/** Requests under way at a time. */
const maxConcurrency = 10;

/** Of one request: the next poll comes soon. */
const maxRetries = 2;

const longestTimeoutMs = 30_000;

/**
 * Reads sources, some at a time, in the order given. Ends early when the time is up or nothing more
 * is to be read. Each attempt has its time: none is cut off by the end of the poll, which would look
 * like a fault of the service.
 *
 * @param take resolves when the answer is dealt with; gives false where nothing more is to be read
 * @param budgetMs for all of them
 * @returns the first one that it did not get to
 */
export async function readSources(
	client: Client,
	sources: Source[],
	budgetMs: number,
	take: (source: Source, outcome: Outcome) => Promise<boolean>,
): Promise<Source | undefined> {
	const timeoutMs = Math.min(longestTimeoutMs, Math.floor(budgetMs / 3));
	const abort = new Abort();
	const limiter = new Limiter();
	const clock = AbortSignal.timeout(Math.floor(budgetMs) - timeoutMs);
	const onTimeout = () => abort.stop();
	clock.addEventListener('abort', onTimeout);

	const queue = sources.values();
	const unread = new Set(sources);
	const work = async () => {
		for (const source of queue) {
			const attempt = async () => client.shown(await client.attempt(source.request, timeoutMs));
			const outcome = await withRetries(attempt, { idempotent: true, maxRetries, limiter, abort });
			if (outcome) unread.delete(source);
			if (outcome && !(await take(source, outcome))) abort.stop();
			if (abort.isStopped) return;
		}
	};
	try {
		await Promise.all(Array.from({ length: maxConcurrency }, work));
	} finally {
		abort.stop(); // also after a throw, which the others know nothing of
		clock.removeEventListener('abort', onTimeout);
	}
	const [next] = unread;
	return next;
}
