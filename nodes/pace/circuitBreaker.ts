import { isKeyRejected, type Outcome } from '../service/outcome';
import type { Turn, Limiter, Permit } from './limiter';
import { Pool } from './pool';

/** After so many losses, messages leave one at a time. */
const mostLosses = 3;

/** The pauses, in ms, before the messages that leave one at a time. If all of these are lost, no other follows. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 16_000];

/** After so many refusals of the key, no message leaves. */
const mostKeyRefusals = 5;

/** Counts since the last answer, of what had left when the first failure was known, and when one more may alone. */
const noFailures = { losses: 0, probes: 0, keyRefusals: 0, leftBefore: Infinity, nextAt: 0 };

/**
 * Keeps a run from sending a whole list into an outage. A message whose outcome is unknown is lost, since nobody
 * may send it again.
 *
 * - closed: messages leave as the limiter lets them.
 * - half open, after three losses: one message at a time leaves, further and further apart, until one is answered.
 * - open, once five of those are lost, or the key is refused five times: no message leaves any more.
 *
 * 429, a connection that was never made and what a proxy has refused are neither a loss nor an answer.
 */
export class CircuitBreaker {
	private failures = { ...noFailures };
	private readonly turns = new Pool(1);
	/** The number of messages that have left. */
	private left = 0;
	private isHalfOpen = false;
	/** Why no message leaves any more, if none does. */
	outage: 'noAnswers' | 'keyRefused' | undefined;

	/** Waits until a message may leave. Returns undefined if it may not any more: see `outage` and the limiter. */
	async enter(policy: Turn & { limiter: Limiter }): Promise<Permit | undefined> {
		const { abort, limiter } = policy;
		while (!this.outage && !abort.isStopped) {
			const isProbe = this.isHalfOpen;
			const isSame = () => !this.outage && this.isHalfOpen === isProbe;
			const leaveTurn = isProbe ? await this.turns.take(abort.stopped) : undefined;
			if (isProbe) await abort.waitUntil(() => this.failures.nextAt, isSame);
			// While it waits for the limiter, a message that left before may be lost: then it waits again.
			const mayStart = () => isSame() && !(isProbe && performance.now() < this.failures.nextAt);
			const permit = mayStart() && (await limiter.enter({ ...policy, mayStart }));
			if (permit) {
				const number = ++this.left;
				const end = (outcome: Outcome) => this.note(permit.end(outcome), number, isProbe);
				const release = () => [permit.release, leaveTurn].forEach((leave) => leave?.());
				return { end, release };
			}
			leaveTurn?.();
			if (mayStart()) return undefined;
		}
		return undefined;
	}

	private note(outcome: Outcome, number: number, isProbe: boolean): Outcome {
		const { failures, isHalfOpen, left } = this;
		const isLoss = outcome.kind === 'unknown';
		const isKeyRefusal = outcome.kind === 'refused' && isKeyRejected(outcome.reason);
		if (isLoss || isKeyRefusal) {
			failures[isLoss ? 'losses' : 'keyRefusals']++;
			if (isLoss && isProbe && isHalfOpen) failures.probes++;
			failures.leftBefore = Math.min(failures.leftBefore, left);
			failures.nextAt = performance.now() + pausesMs[failures.probes]!;
			if (failures.probes >= pausesMs.length) this.outage = 'noAnswers';
			else if (failures.keyRefusals >= mostKeyRefusals) this.outage = 'keyRefused';
		} else if (isAnswer(outcome) && number > failures.leftBefore) this.failures = { ...noFailures };
		this.isHalfOpen = this.failures.losses >= mostLosses;
		return outcome;
	}
}

/** Whether the service itself has said yes or no: a page may be a proxy's. */
const isAnswer = (outcome: Outcome): boolean =>
	outcome.kind === 'accepted' ||
	(['rejected', 'validation'].includes(outcome.reason.kind) && !outcome.reason.isPage);
