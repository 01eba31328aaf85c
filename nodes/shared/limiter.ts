import type { Halt } from './halt';
import type { Outcome } from './outcome';

type Refused = Extract<Outcome, { kind: 'refused' }>;

/** Longest pause that a service may ask for, in ms; a longer one ends the run. */
export const longestPauseMs = 60_000;

/** Pause after a refusal that asks for none, in ms; doubled while nothing is accepted. */
const firstPauseMs = 250;

/** Requests per second: never fewer, and from here on one refusal in ten is no reason for fewer. */
const slowest = 1;
const fast = 50;
const occasional = 9;

/** What the rate is multiplied by each second: away from a rate that was refused, and near it. */
const search = 2;
const approach = 1.03;

/**
 * Says when the requests of a run may start, and finds the rate that the service takes. There is one
 * service: a pause that it asks of one item holds for all.
 *
 * A refusal halves the rate, but to no less than what the service has been seen to take. The rate
 * grows again with time, slowly where it was refused before.
 */
export class Limiter {
	/** Requests that the service has accepted. */
	accepted = 0;

	/** The refusal that ended the run: the service wants to be left alone for more than a minute. */
	closedBy: Refused | undefined;

	/** Requests per second. */
	private rate = Infinity;

	/** The rate that was too much. */
	private refusedRate = Infinity;

	/** No request starts before, in ms since 1970. */
	private next = 0;

	private started = 0;

	/** What there was when the rate was last lowered, or at the start. */
	private mark = { at: Date.now(), started: 0, accepted: 0 };

	/** Refusals since then, those that came together counted once. */
	private refusals = 0;

	/** How often the rate was lowered since a request was accepted. */
	private inVain = 0;

	private grownAt = 0;

	private turns: Promise<unknown> = Promise.resolve();

	/** @param most requests per second that the user allows */
	constructor(
		private readonly halt: Halt,
		private readonly most = Infinity,
	) {}

	/**
	 * Makes an attempt in its turn.
	 *
	 * @returns its outcome, or undefined where it was not made: the run was halted or is closed
	 */
	async run(attempt: () => Promise<Outcome>): Promise<Outcome | undefined> {
		const turn = this.turns.then(async () => await this.start());
		this.turns = turn;
		const number = await turn;
		if (number === undefined) return undefined;
		const outcome = await attempt();
		if (outcome.kind === 'accepted') this.noteAccepted();
		else if (isLimit(outcome)) this.noteRefused(outcome, number);
		return outcome;
	}

	/** @returns the number of the request that may start */
	private async start(): Promise<number | undefined> {
		for (;;) {
			if (this.closedBy || this.halt.isStopped) return undefined;
			const waitMs = this.next - Date.now();
			if (waitMs <= 0) break;
			await this.halt.pause(Math.ceil(waitMs));
		}
		// From now, not from when it was due: time that a busy machine lost is not made up for.
		this.pause(1000 / Math.min(this.rate, this.most));
		return ++this.started;
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
		if (retryAfterMs !== undefined) this.pause(retryAfterMs);
		if (retryAfterMs !== undefined && retryAfterMs > longestPauseMs) this.closedBy ??= outcome;
		// Requests that were under way together are refused together: that counts once.
		if (number <= this.mark.started) return;

		const seconds = (Date.now() - this.mark.at) / 1000;
		const accepted = this.accepted - this.mark.accepted;
		const rate = this.rate < Infinity ? this.rate : this.started / Math.max(seconds, 1);
		this.refusals++;
		const isRare = this.rate > fast && accepted >= occasional * this.refusals;
		if (retryAfterMs !== undefined || !isRare) this.slowDown(rate, accepted, retryAfterMs);
		else if (seconds > 1) this.setMark();
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

/** Whether a request was refused because there are too many, rather than because of what it is. */
export const isLimit = (outcome: Outcome): outcome is Refused =>
	outcome.kind === 'refused' && ['tooManyRequests', 'unavailable'].includes(outcome.reason.kind);
