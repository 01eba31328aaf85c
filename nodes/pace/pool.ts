import { isRateLimited, type Outcome } from '../service/outcome';

/** Limits how many tasks have a place at a time; the others wait in the order they came. */
export class Pool {
	/** The number of places taken: more than there are once the pool has been made smaller. */
	taken = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(public size: number) {}

	/** Waits for a place, or until it is stopped. @returns the function that gives it back, also if it comes later */
	async take(stopped: Promise<void>): Promise<() => void> {
		if (this.taken < this.size) {
			this.taken++;
			return () => this.leave();
		}
		const entered = new Promise<void>((resolve) => this.waiting.push(resolve));
		await Promise.race([entered, stopped]);
		return () => void entered.then(() => this.leave());
	}

	/** Changes the number of places. Tasks that have a place keep it. */
	resize(size: number): void {
		this.size = size;
		while (this.taken < this.size && this.waiting.length > 0) {
			this.taken++;
			this.waiting.shift()!();
		}
	}

	private leave(): void {
		this.taken--;
		this.resize(this.size);
	}
}

/** The number of requests at a time that every service should be able to take. */
export const usualWidth = 10;

const widthGrowth = 1.5;
const widthShrinkage = 0.7;

/** The factor of answers per second that a wider round has to bring. */
const minGain = 1.15;

/** The number of rounds without that gain after which n8n or the service is at its limit. */
const maxRoundsWithoutGain = 2;

/** The time, in ms, without a request after which the places may grow again. */
const idleMs = 10_000;

/** The time, in ms, for which a limit of the service is remembered. */
const ceilingKeptMs = 60 * 60_000;

/**
 * The places of an account's requests under way. It finds how many there may be: it begins with the usual
 * width, and grows while that brings more answers per second. Latency is not measured: throughput stops
 * rising whatever the limit is.
 */
export class Places extends Pool {
	/** Fewer than where the service last refused a request, or left one without an answer. */
	private ceiling: number;
	private shrunkAt = -Infinity;
	private usedAt = -Infinity;
	/** A round is as many answers as there are places, and takes at least as long as one of them. */
	private round = { began: 0, answers: 0, refused: 0 };
	private bestRate = 0;
	private roundsWithoutGain = 0;

	/** @param most as the user limits it; without a limit, there is a place for each request */
	constructor(private readonly most: number) {
		super(most === Infinity ? most : Math.min(most, usualWidth));
		this.ceiling = most;
	}

	override async take(stopped: Promise<void>): Promise<() => void> {
		const now = performance.now();
		if (now - this.shrunkAt > ceilingKeptMs) this.ceiling = this.most;
		if (this.taken === 0 && now - this.usedAt > idleMs) this.begin(now);
		this.usedAt = now;
		return await super.take(stopped);
	}

	/**
	 * Call with each outcome.
	 *
	 * @param leftAt when its request left
	 * @param isFirst whether its recipient was not refused before
	 */
	note(outcome: Outcome, leftAt: number, isFirst: boolean): void {
		const { round, size } = this;
		if (size === Infinity) return;
		const isUnknown = outcome.kind === 'unknown';
		// One recipient's limit is its own. Two in a round are too many at a time; even more are too many per second.
		const isOwn = isRateLimited(outcome) && outcome.own === true;
		const isTooMany = isOwn && isFirst && ++round.refused > 1;
		if (!isUnknown && !isTooMany) {
			if (++round.answers >= size && leftAt >= round.began) this.endRound();
		} else if (leftAt >= this.shrunkAt) {
			// Requests that were under way together fail together, which counts once.
			if (isTooMany) this.shrink(Math.max(Math.floor(widthShrinkage * size), 1), 0.9 * size);
			// Each further try with more places could cost another answer.
			else this.shrink(Math.min(size, usualWidth), Math.max(size / widthGrowth, usualWidth));
		}
	}

	private endRound(): void {
		const { began, answers } = this.round;
		const now = performance.now();
		const rate = answers / Math.max(now - began, 1);
		this.round = { began: now, answers: 0, refused: 0 };
		// The answers of a round that began with a change for the worse are those of more places.
		if (began === this.shrunkAt || this.roundsWithoutGain === maxRoundsWithoutGain) return;
		const hasGained = rate > minGain * this.bestRate;
		this.roundsWithoutGain = hasGained ? 0 : this.roundsWithoutGain + 1;
		if (!hasGained || this.size >= this.ceiling) return;
		this.bestRate = rate;
		this.resize(Math.min(Math.floor(this.size * widthGrowth), this.ceiling));
	}

	private shrink(size: number, ceiling: number): void {
		this.shrunkAt = performance.now();
		this.ceiling = Math.min(this.ceiling, Math.max(Math.floor(ceiling), size));
		this.resize(size);
		this.begin(this.shrunkAt);
	}

	private begin(now: number): void {
		this.round = { began: now, answers: 0, refused: 0 };
		this.bestRate = 0;
		this.roundsWithoutGain = 0;
	}
}
