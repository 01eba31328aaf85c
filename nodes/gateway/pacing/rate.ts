import type { Outcome, Refused } from '../outcome';

/** Whether the service refused a request because there are too many. */
export const isRateLimited = (outcome: Outcome): outcome is Refused =>
	outcome.kind === 'refused' && ['tooManyRequests', 'unavailable'].includes(outcome.reason.kind);

/** The longest pause, in ms, that a run waits for. */
export const longestPauseMs = 60_000;

/** The pause, in ms, after a refusal without `Retry-After`. It doubles while nothing is accepted. */
const firstPauseMs = 250;

/** The lowest rate, in requests per second. */
const lowestRate = 1;

/** Refusals of so many recipients, none of whom was refused before, are about more than them. */
export const severalRecipients = 4;

/** A rate in requests per second above which one refusal in ten is no reason to slow down. */
const highRate = 50;
const acceptedPerRareRefusal = 9;

/** The factor by which the rate grows in a second: far from the rate that was refused, and near it. */
const fastGrowth = 2;
const slowGrowth = 1.03;

/** A time without a request, in ms, after which earlier counts say nothing about the rate. */
const idleMs = 10_000;

/**
 * Finds the rate that a service accepts. A refusal halves it, but not below what the service is known
 * to accept. The rate then grows with time, slowly near the rate that was refused. Makes no requests
 * and reads no clock: times are parameters, in ms.
 */
export class Rate {
	/** The number of requests that the service has accepted. */
	accepted = 0;
	/** The number of refusals that were about more than their recipient. */
	sharedRefusals = 0;
	/** The sum of the weights of refusals since a request was last accepted. */
	private refusedInRow = 0;
	/** The earliest start of the next request. */
	nextStart = 0;
	/** The rate in requests per second. */
	private perSecond = Infinity;
	private refusedRate = Infinity;
	private started = 0;
	private startedAt: number;
	/** The counts when the rate was last lowered, or at the start. */
	private baseline: { at: number; started: number; accepted: number };
	/** The number of refusals since then; simultaneous ones count once. */
	private refusals = 0;
	/** The number of times that the rate was lowered since the last accepted request. */
	private slowdownsInRow = 0;
	private grownAt = 0;

	constructor(now: number) {
		this.startedAt = now;
		this.baseline = { at: now, started: 0, accepted: 0 };
	}

	/** @returns the number of the request that starts */
	start(now: number): number {
		if (now - this.startedAt > idleMs) this.setBaseline(now);
		this.startedAt = now;
		this.pause(1000 / this.perSecond, now);
		return ++this.started;
	}

	/** Whether several recipients were refused, and none was accepted between. */
	get isRefusing(): boolean {
		return this.refusedInRow >= severalRecipients;
	}

	accept(now: number): void {
		this.accepted++;
		this.refusedInRow = 0;
		if (this.perSecond === Infinity) return;
		const seconds = Math.max(0, now - this.grownAt) / 1000; // pauses do not count
		this.grownAt = Math.max(this.grownAt, now);
		const near = 0.9 * this.refusedRate;
		if (this.perSecond < near) {
			this.perSecond = Math.min(this.perSecond * fastGrowth ** seconds, near);
		} else {
			this.perSecond *=
				(this.perSecond < 1.3 * this.refusedRate ? slowGrowth : fastGrowth) ** seconds;
		}
	}

	/**
	 * Counts a refusal, and slows down if need be.
	 *
	 * @param number of the request
	 * @param weight what it says about others: 1, of a recipient who was refused before 0, of a request
	 * without a recipient `severalRecipients`
	 * @param askedMs what the service asked for, if it did; believed once it refuses everybody
	 * @returns whether it is about more than its recipient
	 */
	refuse(number: number, weight: number, askedMs: number | undefined, now: number): boolean {
		if (weight === 0 && !this.isRefusing) return false;
		this.refusedInRow += weight;
		const pausedMs = this.isRefusing ? askedMs : undefined;
		if (pausedMs !== undefined) this.pause(pausedMs, now);
		// Simultaneous requests are refused together: that counts once.
		if (number <= this.baseline.started) return this.sharedRefusals++ >= 0;

		const seconds = (now - this.baseline.at) / 1000;
		const accepted = this.accepted - this.baseline.accepted;
		const started = this.started - this.baseline.started;
		const rate = this.perSecond < Infinity ? this.perSecond : started / Math.max(seconds, 1);
		this.refusals++;
		const isLimit =
			this.isRefusing || this.perSecond < Infinity || this.refusals >= severalRecipients;
		const isRare = this.perSecond > highRate && accepted >= acceptedPerRareRefusal * this.refusals;
		if (pausedMs !== undefined || (isLimit && !isRare)) {
			this.slowDown(rate, accepted, now, pausedMs);
		} else if (isRare && seconds > 1) this.setBaseline(now);
		if (isLimit) this.sharedRefusals++;
		return isLimit;
	}

	pause(ms: number, now: number): void {
		this.nextStart = Math.max(this.nextStart, now + ms);
	}

	private slowDown(rate: number, accepted: number, now: number, pausedMs?: number): void {
		this.slowdownsInRow = accepted > 0 ? 0 : this.slowdownsInRow + 1;
		// Between two refusals, a service at its limit accepts exactly what it can, unless it paused.
		const isMeasured = this.perSecond < Infinity && accepted >= 5 && pausedMs === undefined;
		const measured = isMeasured ? (accepted * 1000) / (now - this.baseline.at) : 0;
		this.refusedRate = measured || rate;
		this.perSecond = Math.max(measured, rate / 2, lowestRate);
		if (pausedMs === undefined) {
			this.pause(Math.min(firstPauseMs * 2 ** this.slowdownsInRow, longestPauseMs), now);
		}
		this.grownAt = this.nextStart;
		this.setBaseline(now);
	}

	private setBaseline(now: number): void {
		this.baseline = { at: now, started: this.started, accepted: this.accepted };
		this.refusals = 0;
	}
}
