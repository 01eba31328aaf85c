/** Attempts that a test makes as senders do: each once it may leave. */
import type { Limiter, Turn } from '../../../nodes/pace/limiter';
import type { Pace } from '../../../nodes/pace/pace';
import type { Pause } from '../../../nodes/text/pause';
import { attemptsOf, mergeOutcomes, type RetryPolicy } from '../../../nodes/pace/attempts';
import type { Abort } from '../../../nodes/pace/abort';
import type { Outcome } from '../../../nodes/service/outcome';

type Task = () => Promise<Outcome | undefined>;

/** Makes one attempt. Returns undefined if it could not leave. */
export async function makeOne(limiter: Limiter, task: Task, turn: Turn) {
	const permit = await limiter.enter(turn);
	const outcome = permit && (await task());
	const noted = outcome && permit.end(outcome);
	permit?.release();
	return noted;
}

/** Makes attempts until one is final. */
export async function makeAll(task: () => Promise<Outcome>, policy: RetryPolicy) {
	let outcome: Outcome | undefined;
	for await (const attempt of attemptsOf(policy)) {
		outcome = mergeOutcomes(outcome, attempt.end(await task()));
	}
	return outcome ?? policy.limiter.activeRefusal(policy.recipient);
}

/** Makes one attempt at an instance's pace. */
export async function makePaced(pace: Pace, task: Task, pause: Pause, abort: Abort) {
	const leave = await pace.enter(pause, abort);
	const outcome = abort.isStopped ? undefined : await task();
	leave?.(outcome !== undefined);
	return outcome;
}
