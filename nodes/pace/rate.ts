import type { Outcome, Refused } from '../service/outcome';

/** Whether the service refused a request because there are too many. */
export const isRateLimited = (outcome: Outcome): outcome is Refused =>
	outcome.kind === 'refused' && ['tooManyRequests', 'unavailable'].includes(outcome.reason.kind);

/** Refusals of so many recipients, none of whom was refused before, are about more than them. */
export const severalRecipients = 4;

/** The share of refusals that is no reason to slow down. */
const rareShare = 0.1;

/** The mean gap between two starts, in ms, before the first refusal, where so few were accepted that it is not known. */
const usualGapMs = 33;
const fewAccepted = 20;

const longestGapMs = 1_000;
const shortestGapMs = 2;

const gapGrowth = 1.5;
const gapShrinkage = 0.98;

/** The pause, in gaps, where everybody is refused and the service names none. */
const gapsPerPause = 10;

/**
 * Finds the rate that a service accepts. The gap between two starts grows by half with each independent
 * refusal, and shrinks a little with each accepted request. Makes no requests and reads no clock: times are
 * parameters, in ms.
 */
export class Rate {
	/** The number of requests that the service has accepted. */
	accepted = 0;
	sharedRefusals = 0;
	/** The earliest start of the next request. */
	nextStart = 0;
	private gapMs = 0;
	private started = 0;
	private began = 0;
	/** The number of requests that left before the gap last grew. */
	private startedBefore = 0;
	/** The sum of the weights of refusals since a request was last accepted. */
	private refusedInRow = 0;
	/** The same, less what is rare beside those that were accepted. */
	private refusedOften = 0;

	/** @param leastGapMs before the next start, whatever the service accepts @returns the number of the request */
	start(now: number, leastGapMs: number): number {
		if (this.started === 0) this.began = now;
		// From its start to the next one: a busy machine must not catch up.
		this.pause(Math.max(this.gapMs, leastGapMs), now);
		return ++this.started;
	}

	/** Whether several recipients were refused, and none was accepted between. */
	get isRefusing(): boolean {
		return this.refusedInRow >= severalRecipients;
	}

	accept(): void {
		this.accepted++;
		this.refusedInRow = 0;
		this.refusedOften = Math.max(0, this.refusedOften - rareShare);
		this.gapMs *= gapShrinkage;
		if (this.gapMs < shortestGapMs) this.gapMs = 0;
	}

	/**
	 * Counts a refusal, and slows down if need be.
	 *
	 * @param number of the request
	 * @param weight what it says about others: 1, of a recipient who was refused before 0, of a request
	 * without a recipient `severalRecipients`
	 * @param askedMs the pause that the service asks for, if it does; believed once it refuses everybody
	 * @returns whether it is about more than its recipient
	 */
	refuse(number: number, weight: number, askedMs: number | undefined, now: number): boolean {
		if (weight === 0 && !this.isRefusing) return false;
		this.refusedInRow += weight;
		this.refusedOften += weight;
		const isShared = this.isRefusing || this.gapMs > 0 || this.refusedOften >= severalRecipients;
		if (!isShared) return false;
		this.sharedRefusals++;
		// Requests that were under way together are refused together: that counts once.
		if (number > this.startedBefore) {
			this.startedBefore = this.started;
			this.gapMs = Math.min(gapGrowth * (this.gapMs || this.meanGapMs(now)), longestGapMs);
			if (this.isRefusing && askedMs === undefined) this.pause(gapsPerPause * this.gapMs, now);
		}
		if (this.isRefusing && askedMs !== undefined) this.pause(askedMs, now);
		return true;
	}

	private meanGapMs(now: number): number {
		if (this.accepted < fewAccepted) return usualGapMs;
		const meanMs = (now - this.began) / this.accepted;
		return Math.min(Math.max(meanMs, shortestGapMs), usualGapMs);
	}

	private pause(ms: number, now: number): void {
		this.nextStart = Math.max(this.nextStart, now + ms);
	}
}
