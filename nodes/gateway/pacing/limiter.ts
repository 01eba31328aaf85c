import { createHash } from 'crypto';

import { inProcess } from '../inProcess';
import type { Outcome, Refused } from '../outcome';
import type { Abort } from './abort';
import { ticks } from './clock';
import { Lanes } from './lanes';
import { isLimit, longestPauseMs, Rate } from './rate';
import type { Lately } from './width';

/** Longest pause that counts as meant by the service, in ms. */
const longestBelievedMs = 24 * 60 * 60_000;

/** How long it is remembered how many requests at a time the service took, in ms. */
const widthKeptMs = 60 * 60_000;

/** Makes a request, or none if it is too late for it. */
export type Attempt = () => Promise<Outcome | undefined>;

interface Turn {
	/** Ends the waits of this run only. */
	abort: Abort;
	/** The user's limit in requests per second; default: none. */
	most?: number;
}

/** How fast each account may be used, by a hash of its address and key: the latest 1,000. */
const limiters = inProcess.map<Limiter>(1_000);

/**
 * Decides when requests to an account may start, across executions. A pause that the service asks for
 * applies to all items. Runs with a limit of the user's share that, too.
 */
export class Limiter {
	private readonly rate = new Rate(ticks());

	/** The refusal that asked for a longer pause than a run waits for, and the end of the pause. */
	private closed: { by: Refused; until: number } | undefined;

	/** Earliest start of the next request of a run with a maximum, in ticks. */
	private nextWithMaximum = 0;

	private width: { lately: Lately; until: number } | undefined;

	private readonly lanes = new Lanes();

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

	/** Requests that the service has accepted. */
	get accepted(): number {
		return this.rate.accepted;
	}

	/** The refusal that prevents new requests, with the time left. */
	get closedBy(): Refused | undefined {
		const leftMs = this.closed ? this.closed.until - ticks() : 0;
		return leftMs > longestPauseMs ? { ...this.closed!.by, retryAfterMs: leftMs } : undefined;
	}

	/** How many requests at a time the service took within the last hour. */
	get lately(): Lately | undefined {
		return this.width && ticks() < this.width.until ? this.width.lately : undefined;
	}

	set lately(lately: Lately | undefined) {
		this.width = lately && { lately, until: ticks() + widthKeptMs };
	}

	/** Makes an attempt in its turn. Undefined if it was not made: see `abort` and `closedBy`. */
	async run(attempt: Attempt, turn: Turn): Promise<Outcome | undefined> {
		const number = await this.startInTurn(turn);
		if (number === undefined) return undefined;
		const outcome = await attempt();
		if (!outcome) return undefined;
		if (outcome.kind === 'accepted') this.rate.accept(ticks());
		else if (isLimit(outcome)) this.noteRefused(outcome, number);
		return outcome;
	}

	private async startInTurn({ abort, most = Infinity }: Turn): Promise<number | undefined> {
		const start = async () => await this.inTurn('all', abort, async () => await this.start(abort));
		if (most === Infinity) return await start();
		return await this.inTurn('with a maximum', abort, async () => {
			if (!(await this.waitUntil(() => this.nextWithMaximum, abort))) return undefined;
			const number = await start();
			// From now, not from when it was due: a busy machine must not catch up.
			if (number !== undefined) this.nextWithMaximum = ticks() + 1000 / most;
			return number;
		});
	}

	/** A run that stops waits no longer, and holds up nobody behind it. */
	private async inTurn<T>(lane: string, { stopped }: Abort, task: () => Promise<T>): Promise<T> {
		return await this.lanes.run([lane], task, stopped);
	}

	/** @returns the number of the request that may start */
	private async start(abort: Abort): Promise<number | undefined> {
		if (!(await this.waitUntil(() => this.rate.next, abort))) return undefined;
		return this.rate.start(ticks());
	}

	/** @returns false if no request may start any more */
	private async waitUntil(time: () => number, abort: Abort): Promise<boolean> {
		for (;;) {
			if (this.closedBy || abort.isStopped) return false;
			const waitMs = time() - ticks();
			if (waitMs <= 0) return true;
			await abort.pause(Math.ceil(waitMs));
		}
	}

	private noteRefused(outcome: Refused, number: number): void {
		const { retryAfterMs } = outcome;
		if (retryAfterMs !== undefined) this.pauseAsAsked(outcome, retryAfterMs);
		this.rate.refuse(number, retryAfterMs, ticks());
	}

	private pauseAsAsked(by: Refused, askedMs: number): void {
		const now = ticks();
		const ms = Math.min(askedMs, longestBelievedMs);
		const until = now + ms;
		this.rate.pause(ms, now);
		if (ms > longestPauseMs && until > (this.closed?.until ?? 0)) this.closed = { by, until };
	}
}
