import { createHash } from 'crypto';

import { remember } from '../memory';
import type { Abort } from './abort';
import type { Outcome } from '../outcome';

type Refused = Extract<Outcome, { kind: 'refused' }>;

/** Longest pause that a run waits for, in ms; a longer one ends it. */
export const longestPauseMs = 60_000;

/** Longest pause that a service is believed to mean, in ms. */
const longestBelievedMs = 24 * 60 * 60_000;

/** Pause after a refusal that asks for none, in ms; doubled while nothing is accepted. */
const firstPauseMs = 250;

/** Requests per second: never fewer, and from here on one refusal in ten is no reason for fewer. */
const slowest = 1;
const fast = 50;
const occasional = 9;

/** What the rate is multiplied by each second: away from a rate that was refused, and near it. */
const search = 2;
const approach = 1.03;

/** Time without a request, in ms, after which what was counted before says nothing of the rate. */
const idleMs = 10_000;

/** Makes a request, unless its time has passed when it is its turn: then it gives no outcome. */
export type Attempt = () => Promise<Outcome | undefined>;

/** Whose request waits for its turn. */
export interface Turn {
	/** Ends the wait of this run, and of no other. */
	abort: Abort;
	/** Requests per second that the user allows; default: as many as the service takes. */
	most?: number;
}

/** How fast each account may be used, by a hash of its address and key: the latest 1,000. */
const limiters = remember<Limiter>(1_000);

/**
 * Says when requests to an account may start, whichever execution makes them, and finds the rate that
 * the service takes. There is one service: a pause that it asks of one item holds for all.
 *
 * A refusal halves the rate, but to no less than what the service has been seen to take. The rate
 * grows again with time, slowly where it was refused before. Runs that have a maximum of their own
 * share it, too: each of their requests takes the time that its maximum gives it.
 */
export class Limiter {
	/** Requests that the service has accepted. */
	accepted = 0;

	/** The refusal that asked for more than a run waits for, and until when it holds. */
	private closed: { by: Refused; until: number } | undefined;

	/** Requests per second. */
	private rate = Infinity;

	/** The rate that was too much. */
	private refusedRate = Infinity;

	/** No request starts before, in ms since 1970; none of a run with a maximum before the second. */
	private next = 0;
	private nextWithMaximum = 0;

	private started = 0;
	private startedAt = Date.now();

	/** What there was when the rate was last lowered, or at the start. */
	private mark = { at: Date.now(), started: 0, accepted: 0 };

	/** Refusals since then, those that came together counted once. */
	private refusals = 0;

	/** How often the rate was lowered since a request was accepted. */
	private inVain = 0;
	private grownAt = 0;

	private readonly turns = new Turns();
	private readonly turnsWithMaximum = new Turns();

	/** The one of an account, for all executions of this process; its key is not kept. */
	static of(baseUrl: string, apiKey: string): Limiter {
		const names = JSON.stringify([baseUrl, apiKey]);
		const account = createHash('sha256').update(names).digest('base64');
		const limiter = limiters.get(account) ?? new Limiter();
		limiters.set(account, limiter); // becomes the newest
		return limiter;
	}

	/** Forgets all accounts, as the end of the process does. */
	static reset(): void {
		limiters.clear();
	}

	/** Why no request starts: the service wants to be left alone for what is left of that time. */
	get closedBy(): Refused | undefined {
		const leftMs = this.closed ? this.closed.until - Date.now() : 0;
		return leftMs > longestPauseMs ? { ...this.closed!.by, retryAfterMs: leftMs } : undefined;
	}

	/** Makes an attempt in its turn. Undefined where it was not made: see `abort` and `closedBy`. */
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
		const start = async () =>
			await this.turns.take(abort, async () => await this.start(abort, () => this.next));
		if (most === Infinity) return await start();
		return await this.turnsWithMaximum.take(abort, async () => {
			if (!(await this.waitUntil(() => this.nextWithMaximum, abort))) return undefined;
			const number = await start();
			// From now, not from when it was due: time that a busy machine lost is not made up for.
			if (number !== undefined) this.nextWithMaximum = Date.now() + 1000 / most;
			return number;
		});
	}

	/** @returns the number of the request that may start */
	private async start(abort: Abort, time: () => number): Promise<number | undefined> {
		if (!(await this.waitUntil(time, abort))) return undefined;
		const now = Date.now();
		if (now - this.startedAt > idleMs) this.setMark();
		this.startedAt = now;
		this.pause(1000 / this.rate);
		return ++this.started;
	}

	/** Gives false where no request may start any more. */
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
		// Requests that were under way together are refused together: that counts once.
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
		// Between two refusals, a service at its limit takes exactly what it can; not so with a pause.
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

/** Lets tasks run one after the other, in the order they came. */
class Turns {
	private last: Promise<unknown> = Promise.resolve();

	/**
	 * Runs a task in its turn. One that is aborted waits no longer, and keeps nobody behind it waiting.
	 *
	 * @param task must not reject, and has to end soon when the abort stops
	 * @returns what the task gives, or undefined where it was aborted before
	 */
	async take<T>(abort: Abort, task: () => Promise<T>): Promise<T | undefined> {
		const turn = this.last.then(async () => (abort.isStopped ? undefined : await task()));
		this.last = turn;
		return await Promise.race([turn, abort.stopped.then(() => undefined)]);
	}
}

/** Whether a request was refused because there are too many, rather than because of what it is. */
export const isLimit = (outcome: Outcome): outcome is Refused =>
	outcome.kind === 'refused' && ['tooManyRequests', 'unavailable'].includes(outcome.reason.kind);
