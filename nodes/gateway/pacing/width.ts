import type { Outcome } from '../outcome';
import { isLimit } from './rate';

/** Requests at a time that every service should be able to take. */
const usual = 10;

const growth = 1.5;
const shrinkage = 0.7;

/** How many more answers per second a wider round has to bring. */
const gain = 1.15;

/** After so many rounds without that gain, n8n or the service is at its limit. */
const roundsInVain = 2;

/** What is known of an account from earlier runs. */
export interface Lately {
	/** How many requests at a time it took. */
	taken: number;
	/** How many it may get: fewer than where it last refused one, or left one without an answer. */
	ceiling: number;
}

/**
 * How many requests of a run may be under way at a time. It begins with the usual width, or with what
 * the account has taken lately, and grows while that brings more answers per second. Latency is not
 * measured: throughput stops rising whatever the limit is.
 */
export class Width {
	private size: number;
	private ceiling: number;
	/** What the account's next run may know. */
	lately: Lately;

	/** A round is as many answers as there were requests under way when it began. */
	private round = { began: 0, answers: 0, length: 0, refused: 0, hasShrunk: false };
	private best = 0;
	private inVain = 0;

	/** @param most as the user limits it */
	constructor(most: number, lately: Lately = { taken: 0, ceiling: Infinity }) {
		this.lately = lately;
		this.ceiling = Math.min(most, lately.ceiling);
		this.size = Math.min(this.ceiling, Math.max(usual, lately.taken));
	}

	get now(): number {
		return this.size;
	}

	/** Begins a round; call when the first request leaves. @param now in ms */
	begin(now: number): void {
		this.round = { began: now, answers: 0, length: this.size, refused: 0, hasShrunk: false };
	}

	/** Call with each outcome. @returns whether the width has changed */
	note(outcome: Outcome, now: number): boolean {
		const { round } = this;
		if (outcome.kind === 'unknown') {
			// In this run, each further try could cost another answer.
			return this.shrinkTo(usual, usual, this.size / growth, now);
		}
		// One recipient's limit is its own; two in a round are too many requests at a time.
		if (isLimit(outcome) && (!outcome.own || ++round.refused > 1)) {
			// Simultaneous requests are refused together: that counts once.
			const below = 0.9 * this.size;
			if (!round.hasShrunk) return this.shrinkTo(this.size * shrinkage, below, below, now);
		}
		return ++round.answers >= round.length && this.endRound(now);
	}

	private endRound(now: number): boolean {
		const { began, answers, hasShrunk } = this.round;
		const rate = answers / Math.max(now - began, 1);
		const hasGained = rate > gain * this.best;
		this.begin(now);
		if (hasShrunk || this.inVain === roundsInVain) return false;
		this.inVain = hasGained ? 0 : this.inVain + 1;
		if (!hasGained || this.size >= this.ceiling) return false;
		this.best = rate;
		this.size = Math.min(Math.floor(this.size * growth), this.ceiling);
		this.round.length = this.size;
		this.lately = { ...this.lately, taken: Math.max(this.lately.taken, this.size) };
		return true;
	}

	/** @param known ceiling for the next runs. Answers that are missing together count once. */
	private shrinkTo(size: number, ceiling: number, known: number, now: number): true {
		if (!this.round.hasShrunk) {
			const least = Math.max(usual, Math.floor(known));
			this.lately = { taken: 0, ceiling: Math.min(this.lately.ceiling, least) };
		}
		const underWay = this.size;
		this.size = Math.min(underWay, Math.max(Math.floor(size), 1));
		this.ceiling = Math.min(this.ceiling, Math.max(Math.floor(ceiling), this.size));
		this.best = 0;
		this.begin(now);
		this.round.length = underWay;
		this.round.hasShrunk = true;
		return true;
	}
}
