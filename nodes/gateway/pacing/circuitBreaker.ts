import { serviceTexts, type Outcome, type Reason } from '../outcome';
import type { Limiter, Permit, Turn } from './limiter';
import { Pool } from './queues';

/** After so many losses, messages leave one at a time. */
const mostLosses = 3;

/** The pauses, in ms, before the messages that leave one at a time. If all of these are lost, no other follows. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 16_000];

/** After so many refusals of the key, no message leaves. */
const mostKeyRefusals = 5;

/**
 * Counts what has failed since the last answer, and how many messages had left when that was first known: an
 * answer to one of those says nothing about the time after it.
 */
const noFailures = () => ({
	...{ losses: 0, lossesAlone: 0, keyRefusals: 0 },
	...{ leftBefore: Infinity, pauseEndsAt: 0 },
});

/**
 * Keeps a run from sending a whole list into an outage of an account's family of paths. A message with an
 * unknown outcome is lost: nobody may send it again, so the others had better wait.
 *
 * - closed: messages leave as the limiter lets them.
 * - half open, after three losses: one message at a time leaves, further and further apart, until one is answered.
 * - open, once five of those are lost, or the key is refused five times: no message leaves any more.
 *
 * 429, a connection that was never made and what a proxy has refused are neither a loss nor an answer.
 */
export class CircuitBreaker {
	/** The number of messages that have left. */
	private left = 0;
	private failures = noFailures();
	/** Messages that leave one at a time take turns. */
	private readonly turns = new Pool(1);

	constructor(private readonly limiter: Limiter) {}

	/** Why no message leaves any more, if none does. */
	get outage(): 'noAnswers' | 'keyRefused' | undefined {
		if (this.failures.lossesAlone >= pausesMs.length) return 'noAnswers';
		return this.failures.keyRefusals >= mostKeyRefusals ? 'keyRefused' : undefined;
	}

	private get state(): 'closed' | 'halfOpen' | 'open' {
		if (this.outage) return 'open';
		return this.failures.losses < mostLosses ? 'closed' : 'halfOpen';
	}

	/** Waits until a message may leave. Returns undefined if it may not any more: see `outage` and the limiter. */
	async enter(turn: Turn): Promise<Permit | undefined> {
		const { abort } = turn;
		for (let { state } = this; state !== 'open'; { state } = this) {
			const isSame = () => this.state === state;
			const pauseMs = () => Math.ceil(this.failures.pauseEndsAt - performance.now());
			const isAlone = state === 'halfOpen';
			const leaveTurn = isAlone ? await this.turns.take(abort.stopped) : () => {};
			while (isAlone && isSame() && pauseMs() > 0 && (await abort.pause(pauseMs())));
			const permit = isSame() && (await this.limiter.enter({ ...turn, mayStart: isSame }));
			if (permit) return this.watch(permit, isAlone, leaveTurn);
			leaveTurn();
			if (isSame()) return undefined;
		}
		return undefined;
	}

	private watch(permit: Permit, isAlone: boolean, leaveTurn: () => void): Permit {
		const number = ++this.left;
		return Object.assign(Object.create(permit) as Permit, {
			end: (outcome: Outcome) => this.note(permit.end(outcome), number, isAlone),
			release() {
				permit.release();
				leaveTurn();
			},
		});
	}

	private note(outcome: Outcome, number: number, isAlone: boolean): Outcome {
		const { failures, left, state } = this;
		const isLoss = outcome.kind === 'unknown';
		const isKeyRefusal = outcome.kind === 'refused' && isOfKey(outcome.reason);
		if (isLoss || isKeyRefusal) failures.leftBefore = Math.min(failures.leftBefore, left);
		else if (isAnswer(outcome) && number > failures.leftBefore) this.failures = noFailures();
		if (isKeyRefusal) failures.keyRefusals++;
		if (!isLoss) return outcome;
		failures.losses++;
		if (isAlone && state === 'halfOpen') failures.lossesAlone++;
		failures.pauseEndsAt = performance.now() + pausesMs[failures.lossesAlone]!;
		return outcome;
	}
}

const isOfKey = ({ status, text }: Reason): boolean =>
	status === 401 || text === serviceTexts.invalidToken;

/** Whether the service itself has said yes or no. What a proxy refuses has no text of the service's (§2.9). */
const isAnswer = (outcome: Outcome): boolean =>
	outcome.kind === 'accepted' ||
	(outcome.kind === 'refused' &&
		!outcome.forNow &&
		outcome.reason.text !== undefined &&
		['rejected', 'validation'].includes(outcome.reason.kind));
