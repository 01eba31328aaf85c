import type { Outcome } from '../outcome';
import { isRateLimited } from './rate';

/** The number of requests at a time that every service should be able to take. */
export const usualWidth = 10;

const widthGrowth = 1.5;
const widthShrinkage = 0.7;

/** The factor of answers per second that a wider round has to bring. */
const minGain = 1.15;

/** The number of rounds without that gain after which n8n or the service is at its limit. */
const maxRoundsWithoutGain = 2;

/** The width that earlier runs have found for an account. */
export interface RecentWidth {
	/** The number of requests at a time that it took. */
	taken: number;
	/** The number that it may get: fewer than where it last refused one, or left one without an answer. */
	ceiling: number;
}

/**
 * Finds how many requests of a run may be under way at a time. It begins with the usual width, or with
 * what the account has taken recently, and grows while that brings more answers per second. Latency is not
 * measured: throughput stops rising whatever the limit is.
 */
export class Width {
	/** The number of requests that may be under way now. */
	current: number;
	private ceiling: number;
	/** The width that the account's next run begins with. */
	recentWidth: RecentWidth;
	/** A round is as many answers as there were requests under way when it began. */
	private round = { began: 0, answers: 0, length: 0, refused: 0, hasShrunk: false };
	private bestRate = 0;
	private roundsWithoutGain = 0;

	/** @param maxWidth as the user limits it */
	constructor(maxWidth: number, recent: RecentWidth = { taken: 0, ceiling: Infinity }) {
		this.recentWidth = recent;
		this.ceiling = Math.min(maxWidth, recent.ceiling);
		this.current = Math.min(this.ceiling, Math.max(usualWidth, recent.taken));
	}

	/** Begins a round; call when the first request leaves. @param now in ms */
	begin(now: number): void {
		this.round = { began: now, answers: 0, length: this.current, refused: 0, hasShrunk: false };
	}

	/** Call with each outcome. @returns whether the width has changed */
	note(outcome: Outcome, now: number): boolean {
		const { round } = this;
		if (outcome.kind === 'unknown') {
			// The run stays at the usual width, since each further try could cost another answer.
			return this.shrinkTo(usualWidth, usualWidth, this.current / widthGrowth, now);
		}
		// One recipient's limit is its own; two in a round are too many requests at a time.
		if (isRateLimited(outcome) && (!outcome.own || ++round.refused > 1)) {
			// Simultaneous requests are refused together: that counts once.
			const below = 0.9 * this.current;
			if (!round.hasShrunk) return this.shrinkTo(this.current * widthShrinkage, below, below, now);
		}
		return ++round.answers >= round.length && this.endRound(now);
	}

	private endRound(now: number): boolean {
		const { began, answers, hasShrunk } = this.round;
		const rate = answers / Math.max(now - began, 1);
		const hasGained = rate > minGain * this.bestRate;
		this.begin(now);
		if (hasShrunk || this.roundsWithoutGain === maxRoundsWithoutGain) return false;
		this.roundsWithoutGain = hasGained ? 0 : this.roundsWithoutGain + 1;
		if (!hasGained || this.current >= this.ceiling) return false;
		this.bestRate = rate;
		this.current = Math.min(Math.floor(this.current * widthGrowth), this.ceiling);
		this.round.length = this.current;
		const { taken, ceiling } = this.recentWidth;
		this.recentWidth = { taken: Math.max(taken, this.current), ceiling };
		return true;
	}

	/** @param known ceiling for the next runs. Answers that are missing together count once. */
	private shrinkTo(size: number, ceiling: number, known: number, now: number): true {
		if (!this.round.hasShrunk) {
			const least = Math.max(usualWidth, Math.floor(known));
			this.recentWidth = { taken: 0, ceiling: Math.min(this.recentWidth.ceiling, least) };
		}
		const underWay = this.current;
		this.current = Math.min(underWay, Math.max(Math.floor(size), 1));
		this.ceiling = Math.min(this.ceiling, Math.max(Math.floor(ceiling), this.current));
		this.bestRate = 0;
		this.begin(now);
		this.round.length = underWay;
		this.round.hasShrunk = true;
		return true;
	}
}
