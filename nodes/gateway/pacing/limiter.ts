import { createHash } from 'crypto';

import { remember } from '../memory';
import type { Abort } from './abort';
import type { Outcome } from '../outcome';

type Refused = Extract<Outcome, { kind: 'refused' }>;

/** Longest pause that a run waits for, in ms. */
export const longestPauseMs = 60_000;

/** Longest pause that counts as meant by the service, in ms. */
const longestBelievedMs = 24 * 60 * 60_000;

/** Pause after a refusal without `Retry-After`, in ms; doubled while nothing is accepted. */
const firstPauseMs = 250;

/** Lowest rate, in requests per second. */
const slowest = 1;

/** Above this rate, one refusal in ten is no reason to slow down. */
const fast = 50;
const occasional = 9;

/** Growth of the rate per second: far from the rate that was refused, and near it. */
const search = 2;
const approach = 1.03;

/** After so many ms without a request, earlier counts say nothing about the rate. */
const idleMs = 10_000;

/** Makes a request, or none if it is too late for it. */
export type Attempt = () => Promise<Outcome | undefined>;

export interface Turn {
	/** Ends the waits of this run only. */
	abort: Abort;
	/** The user's limit in requests per second; default: none. */
	most?: number;
}

/** How fast each account may be used, by a hash of its address and key: the latest 1,000. */
const limiters = remember<Limiter>(1_000);

/**
 * Decides when requests to an account may start, across executions, and finds the rate that the
 * service accepts. A pause that it asks for applies to all items.
 *
 * A refusal halves the rate, but not below what the service is known to accept. The rate then grows
 * with time, slowly near the rate that was refused. Runs with a limit of the user's share that, too.
 */
export class Limiter {
	/** Requests that the service has accepted. */
	accepted = 0;

	/** The refusal that asked for a longer pause than a run waits for, and the end of the pause. */
	private closed: { by: Refused; until: number } | undefined;

	/** Requests per second. */
	private rate = Infinity;

	private refusedRate = Infinity;

	/** Earliest start of the next request, in ms since 1970; the second for runs with a maximum. */
	private next = 0;
	private nextWithMaximum = 0;

	private started = 0;
	private startedAt = Date.now();

	/** The counts when the rate was last lowered, or at the start. */
	private mark = { at: Date.now(), started: 0, accepted: 0 };

	/** Refusals since then; simultaneous ones count once. */
	private refusals = 0;

	/** How often the rate was lowered since the last accepted request. */
	private inVain = 0;
	private grownAt = 0;

	private readonly turns = new Turns();
	private readonly turnsWithMaximum = new Turns();

	/** The limiter of an account, for all executions of this process. Does not keep the key. */
	static of(baseUrl: string, apiKey: string): Limiter {
		const names = JSON.stringify([baseUrl, apiKey]);
		const account = createHash('sha256').update(names).digest('base64');
		const limiter = limiters.get(account) ?? new Limiter();
		limiters.set(account, limiter); // becomes the newest
		return limiter;
	}

	/** For tests. */
	static reset(): void {
		limiters.clear();
	}

	/** The refusal that prevents new requests, with the time left. */
	get closedBy(): Refused | undefined {
		const leftMs = this.closed ? this.closed.until - Date.now() : 0;
		return leftMs > longestPauseMs ? { ...this.closed!.by, retryAfterMs: leftMs } : undefined;
	}

	/** Makes an attempt in its turn. Undefined if it was not made: see `abort` and `closedBy`. */
	async run(attempt: Attempt, turn: Turn): Promise<Outcome | undefined> {
		const number = await this.startInTurn(turn);
		if (number === undefined) return undefined;
		const outcome = await attempt();
		if (!outcome) return undefined;
		if (outcome.kind === 'accepted') this.noteAccepted();
		else if (isLimit(outcome)) this.noteRefused(outcome, number);
		return outcome;
	}

	private async startInTurn({ abort, most = Infinity }: Turn): Promise<number | undefined> {
		const start = async () => await this.turns.take(abort, async () => await this.start(abort));
		if (most === Infinity) return await start();
		return await this.turnsWithMaximum.take(abort, async () => {
			if (!(await this.waitUntil(() => this.nextWithMaximum, abort))) return undefined;
			const number = await start();
			// From now, not from when it was due: a busy machine must not catch up.
			if (number !== undefined) this.nextWithMaximum = Date.now() + 1000 / most;
			return number;
		});
	}

	/** @returns the number of the request that may start */
	private async start(abort: Abort): Promise<number | undefined> {
		if (!(await this.waitUntil(() => this.next, abort))) return undefined;
		const now = Date.now();
		if (now - this.startedAt > idleMs) this.setMark();
		this.startedAt = now;
		this.pause(1000 / this.rate);
		return ++this.started;
	}

	/** @returns false if no request may start any more */
	private async waitUntil(time: () => number, abort: Abort): Promise<boolean> {
		for (;;) {
			if (this.closedBy || abort.isStopped) return false;
			const waitMs = time() - Date.now();
			if (waitMs <= 0) return true;
			await abort.pause(Math.ceil(waitMs));
		}
	}

	private noteAccepted(): void {
		this.accepted++;
		if (this.rate === Infinity) return;
		const now = Date.now();
		const seconds = Math.max(0, now - this.grownAt) / 1000; // pauses do not count
		this.grownAt = Math.max(this.grownAt, now);
		const near = 0.9 * this.refusedRate;
		if (this.rate < near) this.rate = Math.min(this.rate * search ** seconds, near);
		else this.rate *= (this.rate < 1.3 * this.refusedRate ? approach : search) ** seconds;
	}

	private noteRefused(outcome: Refused, number: number): void {
		const { retryAfterMs } = outcome;
		if (retryAfterMs !== undefined) this.pauseAsAsked(outcome, retryAfterMs);
		// Simultaneous requests are refused together: that counts once.
		if (number <= this.mark.started) return;

		const seconds = (Date.now() - this.mark.at) / 1000;
		const accepted = this.accepted - this.mark.accepted;
		const started = this.started - this.mark.started;
		const rate = this.rate < Infinity ? this.rate : started / Math.max(seconds, 1);
		this.refusals++;
		const isRare = this.rate > fast && accepted >= occasional * this.refusals;
		if (retryAfterMs !== undefined || !isRare) this.slowDown(rate, accepted, retryAfterMs);
		else if (seconds > 1) this.setMark();
	}

	private pauseAsAsked(by: Refused, askedMs: number): void {
		const ms = Math.min(askedMs, longestBelievedMs);
		const until = Date.now() + ms;
		this.pause(ms);
		if (ms > longestPauseMs && until > (this.closed?.until ?? 0)) this.closed = { by, until };
	}

	private slowDown(rate: number, accepted: number, retryAfterMs: number | undefined): void {
		this.inVain = accepted > 0 ? 0 : this.inVain + 1;
		// Between two refusals, a service at its limit accepts exactly what it can, unless it paused.
		const isMeasured = this.rate < Infinity && accepted >= 5 && retryAfterMs === undefined;
		const measured = isMeasured ? (accepted * 1000) / (Date.now() - this.mark.at) : 0;
		this.refusedRate = measured || rate;
		this.rate = Math.max(measured, rate / 2, slowest);
		if (retryAfterMs === undefined) {
			this.pause(Math.min(firstPauseMs * 2 ** this.inVain, longestPauseMs));
		}
		this.grownAt = this.next;
		this.setMark();
	}

	private setMark(): void {
		this.mark = { at: Date.now(), started: this.started, accepted: this.accepted };
		this.refusals = 0;
	}

	private pause(ms: number): void {
		this.next = Math.max(this.next, Date.now() + ms);
	}
}

/** Runs tasks one after the other, in order. */
class Turns {
	private last: Promise<unknown> = Promise.resolve();

	/**
	 * @param abort ends the wait of this task, without holding up those behind it
	 * @param task must not reject, and must end soon once aborted
	 * @returns the task's result, or undefined if it was aborted before its turn
	 */
	async take<T>(abort: Abort, task: () => Promise<T>): Promise<T | undefined> {
		const turn = this.last.then(async () => (abort.isStopped ? undefined : await task()));
		this.last = turn;
		return await Promise.race([turn, abort.stopped.then(() => undefined)]);
	}
}

/** Whether a request was refused because there are too many. */
export const isLimit = (outcome: Outcome): outcome is Refused =>
	outcome.kind === 'refused' && ['tooManyRequests', 'unavailable'].includes(outcome.reason.kind);
