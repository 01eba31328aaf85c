import type { Account } from '../account/account';
import { inProcess } from '../n8n/processState';
import { isRateLimited, longestPauseMs, type Outcome, type Refused } from '../service/outcome';
import { BoundedMap, entryOf } from '../text/collections';
import type { Pause } from '../text/pause';
import type { Abort } from './abort';
import type { Pace } from './pace';
import { Places, Pool, usualWidth } from './pool';

/** The longest pause, in ms, that counts as meant by the service. */
const longestBelievedMs = 24 * 60 * 60_000;

/** A request that may leave now. */
export interface Permit {
	/** Call with what came of it, if it has left. Returns it with whose refusal it is, if it is one. */
	end(outcome: Outcome): Outcome;
	/** Lets the next one have its place. */
	release(): void;
}

export interface Turn {
	/** Ends the waits of this run only. */
	abort: Abort;
	/** The number that the message goes to. Undefined: the request is not a message. */
	recipient?: string;
	/** The account's limits: of requests in a second, and of those under way. Default: none. */
	maxPerSecond?: number;
	maxConcurrent?: number;
	/** Whether its outcome says how many requests there may be under way. Default: false. */
	isWide?: boolean;
	/** Of a message that leaves alone: the pace of its instance, and the pause after it. */
	pace?: { of: Pace; pause: Pause };
	/** Returns false once the request may not start any more. Default: it may. */
	mayStart?: () => boolean;
}

/** A refusal, until when (by `performance.now()`), and how many the family's limit had refused by then. */
interface KnownRefusal {
	by: Refused;
	until: number;
	sharedRefusals: number;
}

/** The limiter of each account, by a hash of its address, key and family: the latest 1,000, and those in use. */
const limiterOf = inProcess.each(
	1_000,
	() => new Limiter(),
	(limiter) => limiter.isInUse,
);

/**
 * Decides when requests to a family of an account's paths may start, across executions. A refusal is
 * its recipient's, and so is the pause that it asks for, until several recipients are refused.
 */
export class Limiter {
	private readonly rate = new Rate();
	/** The refusal of everybody that asked for the longest pause. */
	private sharedRefusal: KnownRefusal | undefined;
	/** Refusals of recipients that were not accepted since: the latest 1,000. */
	private readonly refusals = new BoundedMap<KnownRefusal>(1_000);
	/** The places of requests under way, by how many there may be: the latest, and those in use. */
	private readonly places = new BoundedMap<Places>(10, ({ taken }) => taken > 0);
	/** The requests that wait for their start. */
	private readonly starts = new Pool(1);

	/**
	 * Returns the limiter of an account for a path, for all executions of this process. A service may limit paths
	 * together: `/v1/sms`, `/v2/<chat app>`, `/v1/apikeys`, `/webhook/`.
	 */
	static of({ baseUrl, apiKey }: Pick<Account, 'baseUrl' | 'apiKey'>, path: string): Limiter {
		return limiterOf(baseUrl.href, apiKey, path.split('/', 3).join('/'));
	}

	/** Whether a request is under way, or the next one would have to wait. */
	get isInUse(): boolean {
		const isUnderWay = [...this.places.values()].some(({ taken }) => taken > 0);
		return isUnderWay || performance.now() < this.rate.nextStart;
	}

	get accepted(): number {
		return this.rate.accepted;
	}

	/** Returns the refusal that prevents new requests, or those to a recipient, with the time left. */
	activeRefusal(recipient = ''): Refused | undefined {
		for (const refusal of [this.sharedRefusal, this.refusals.get(recipient)]) {
			const leftMs = refusal ? refusal.until - performance.now() : 0;
			if (leftMs > longestPauseMs) return { ...refusal!.by, retryAfterMs: leftMs };
		}
		return undefined;
	}

	/** Returns how many requests there may be under way. */
	width(maxConcurrent: number): number {
		const { size } = this.placesOf(maxConcurrent);
		return size === Infinity ? usualWidth : size;
	}

	/** Waits until a request may leave. Returns undefined if it may not any more: see `abort` and `activeRefusal`. */
	async enter(turn: Turn): Promise<Permit | undefined> {
		const { abort, maxConcurrent = Infinity, maxPerSecond = Infinity, pace, recipient = '' } = turn;
		const mayStart = () => turn.mayStart?.() !== false && !this.activeRefusal(recipient);
		// This wait comes before the queues, so that one recipient's pause holds nobody else up.
		const own = () => this.refusals.get(recipient)?.until ?? 0;
		if (!(await abort.waitUntil(own, mayStart))) return undefined;
		const leavePace = await pace?.of.enter(pace.pause, abort);
		const places = this.placesOf(maxConcurrent);
		const leavePlace = await places.take(abort.stopped);
		const leaveStarts = await this.starts.take(abort.stopped);
		const isDue = await abort.waitUntil(() => this.rate.nextStart, mayStart);
		const leftAt = performance.now();
		const number = isDue ? this.rate.start(leftAt, 1000 / maxPerSecond) : 0;
		leaveStarts();
		let hasLeft = false;
		const release = () => {
			leavePace?.(hasLeft);
			leavePlace();
		};
		const end = (outcome: Outcome) => {
			hasLeft = true;
			const isFirst = !this.refusals.has(recipient);
			const noted = this.note(outcome, number, recipient);
			if (turn.isWide) places.note(noted, leftAt, isFirst);
			return noted;
		};
		if (isDue) return { end, release };
		release();
		return undefined;
	}

	private placesOf(maxConcurrent: number): Places {
		return entryOf(this.places, String(maxConcurrent), () => new Places(maxConcurrent));
	}

	/** Notes an outcome, and returns it. A refusal is its recipient's `own` unless others are refused, too. */
	private note(outcome: Outcome, number: number, recipient: string): Outcome {
		const { rate, refusals } = this;
		if (outcome.kind === 'accepted') {
			rate.accept();
			refusals.delete(recipient);
		}
		if (!isRateLimited(outcome)) return outcome;
		const now = performance.now();
		const before = refusals.get(recipient);
		const askedMs = outcome.retryAfterMs && Math.min(outcome.retryAfterMs, longestBelievedMs);
		const isOwn = before?.sharedRefusals === rate.sharedRefusals;
		const weight = recipient === '' ? severalRecipients : Number(!isOwn);
		const isShared = rate.refuse(number, weight, askedMs, now);
		const { sharedRefusals } = rate;
		const refusal = { by: outcome, until: now + (askedMs ?? 0), sharedRefusals };
		if (recipient !== '') refusals.set(recipient, refusal);
		if (rate.isRefusing && refusal.until > (this.sharedRefusal?.until ?? 0))
			this.sharedRefusal = refusal;
		return isShared ? outcome : { ...outcome, own: true };
	}
}

/** Refusals of so many recipients, none of whom was refused before, are about more than them. */
const severalRecipients = 4;

/** The share of refusals that is no reason to slow down. */
const rareShare = 0.1;

/** The mean gap between two starts, in ms, before the first refusal, where so few were accepted that it is not known. */
const usualGapMs = 33;
const fewAccepted = 20;

const longestGapMs = 1_000;
const shortestGapMs = 2;

const gapGrowth = 1.5;
const gapShrinkage = 0.98;

/** From so many accepted requests on, their mean gap says how many the service accepts. */
const enoughAccepted = 3;

/** The pause, in gaps, where everybody is refused and the service names none. */
const gapsPerPause = 10;

/**
 * Finds the rate that a service accepts. The gap between two starts grows with each independent refusal, and
 * shrinks a little with each accepted request. Makes no requests and reads no clock: times are parameters, in ms.
 */
class Rate {
	/** The number of requests that the service has accepted. */
	accepted = 0;
	sharedRefusals = 0;
	/** The earliest start of the next request. */
	nextStart = 0;
	private gapMs = 0;
	private started = 0;
	/** The time and the counts when the gap last grew, or at the first start after a second without any. */
	private before = { at: 0, started: 0, accepted: 0 };
	/** The sum of the weights of refusals since a request was last accepted. */
	private refusedInRow = 0;
	/** The same, less what is rare beside those that were accepted. */
	private refusedOften = 0;

	/** @param leastGapMs before the next start, whatever the service accepts @returns the number of the request */
	start(now: number, leastGapMs: number): number {
		if (now > this.nextStart + longestGapMs) this.begin(now);
		// From its start to the next one: a busy machine must not catch up.
		this.pause(Math.max(this.gapMs, leastGapMs), now);
		return ++this.started;
	}

	private begin(now: number): void {
		this.before = { at: now, started: this.started, accepted: this.accepted };
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
		if (number > this.before.started) {
			this.gapMs = Math.min(this.widerGapMs(askedMs, now), longestGapMs);
			this.begin(now);
			this.pause((this.isRefusing && askedMs === undefined ? gapsPerPause : 1) * this.gapMs, now);
		}
		if (this.isRefusing && askedMs !== undefined) this.pause(askedMs, now);
		return true;
	}

	/**
	 * Returns the gap after a refusal: by half longer, or the mean one since the last refusal if that is longer yet,
	 * as between two refusals a service accepts what it can. After a pause that it asked for, it accepts more at first.
	 */
	private widerGapMs(askedMs: number | undefined, now: number): number {
		const { before, gapMs } = this;
		const accepted = this.accepted - before.accepted;
		const meanMs = (now - before.at) / accepted;
		if (gapMs === 0) {
			const isKnown = accepted >= fewAccepted && meanMs < usualGapMs;
			return gapGrowth * (isKnown ? Math.max(meanMs, shortestGapMs) : usualGapMs);
		}
		const isMeasured = accepted >= enoughAccepted && askedMs === undefined;
		return Math.max(gapGrowth * gapMs, isMeasured ? meanMs : 0);
	}

	private pause(ms: number, now: number): void {
		this.nextStart = Math.max(this.nextStart, now + ms);
	}
}
