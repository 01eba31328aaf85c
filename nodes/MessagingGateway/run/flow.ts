import { sleep } from 'n8n-workflow';

import type { Outcome } from '../../gateway/outcome';
import { type Calls, Pool } from '../../gateway/pacing/queues';
import { ticks } from '../../gateway/pacing/time';
import { Width } from '../../gateway/pacing/width';
import type { Job } from './job';

/**
 * Items read ahead of those whose request may be under way. With more, more numbers with several
 * messages each could go in parallel, and a crash would leave more claimed keys in doubt.
 */
const lookahead = 10;

/** For how long n8n's thread is kept before it gets its turn, in ms. */
const longestBlockMs = 50;

/** A batch leaves once this share of the places is free, and nothing else would fill them. */
const idleShare = 1 / 2;

/** It waits no longer for that, in ms: requests that hang must not hold up the others. */
const longestWaitMs = 100;

/**
 * The flow of a run's items: how far is read ahead, how many requests are under way, and when a batch
 * of questions is worth a call.
 */
export class Flow {
	private readonly places: Pool;
	private readonly ahead: Pool;
	private width = new Width(Infinity);
	private lookahead = lookahead;
	private hasBegun = false;
	private isReading = true;
	private isWaiting = false;
	private yieldedAt = ticks();
	private readonly asked = new Set<Pick<Calls<unknown, unknown>, 'waiting' | 'flush'>>();

	/** @param isOfReads whether these are reads: an answer may take megabytes, so only a few are made */
	constructor(private readonly isOfReads: boolean) {
		this.places = new Pool(this.width.now);
		this.ahead = new Pool(this.width.now + lookahead);
	}

	/** Waits until another item may be read; it ends with `settle`. */
	async readOn(): Promise<void> {
		const room = this.ahead.enter();
		if (this.asked.size > 0) this.callIfDue();
		await room;
		await this.giveWay();
	}

	/** Lets n8n do what waits for its thread, if it has waited for long. */
	async giveWay(): Promise<void> {
		if (ticks() - this.yieldedAt < longestBlockMs) return;
		await sleep(0);
		this.yieldedAt = ticks();
	}

	/** Call when no more items will be read. */
	endReading(): void {
		this.isReading = false;
		if (this.asked.size > 0) this.callIfDue();
	}

	/** Call when it is known what became of an item. */
	settle(): void {
		this.ahead.leave();
	}

	/** Asks with the next batch. */
	async ask<Q, A>(calls: Calls<Q, A>, question: Q): Promise<A> {
		const answer = calls.ask(question);
		this.asked.add(calls);
		this.callIfDue();
		return await answer;
	}

	/** Makes a request once it has a place, and keeps the place until the task is over. */
	async inPlace<T>(task: () => Promise<T>): Promise<T> {
		await this.places.enter();
		try {
			return await task();
		} finally {
			this.places.leave();
			if (this.asked.size > 0) this.callIfDue();
		}
	}

	/** Call with the outcome of each attempt. */
	note(job: Job, outcome: Outcome): void {
		if (!this.mayWiden(job)) return;
		if (!this.width.note(outcome, ticks())) return;
		job.account.limiterFor(job.request.path).lately = this.width.lately;
		this.resize();
	}

	private mayWiden({ request }: Job): boolean {
		return !this.isOfReads && !request.readBody && !request.pause;
	}

	/** Begins as wide as its account allows by what is known. Call as soon as an item was read. */
	begin(job: Job): void {
		if (this.hasBegun) return;
		this.hasBegun = true;
		const { account, request } = job;
		// One message at a time leaves, for hours: a crash leaves only its key in doubt.
		const isPaced = Boolean(request.pause?.most);
		if (isPaced) this.lookahead = 0;
		const lately = this.mayWiden(job) ? account.limiterFor(request.path).lately : undefined;
		this.width = new Width(isPaced ? 1 : account.maxConcurrency, lately);
		this.width.begin(ticks());
		this.resize();
	}

	private resize(): void {
		this.places.resize(this.width.now);
		this.ahead.resize(this.width.now + this.lookahead);
	}

	/** Calls if nobody can go on without, and enough places are free for the call to be worth it. */
	private callIfDue(): void {
		const canRead = this.isReading && this.ahead.queued === 0;
		const { taken, size } = this.places;
		if (canRead || taken > size * (1 - idleShare)) void this.callSoon();
		else this.call();
	}

	private async callSoon(): Promise<void> {
		const isAsked = [...this.asked].some(({ waiting }) => waiting > 0);
		if (this.isWaiting || !isAsked) return;
		this.isWaiting = true;
		await sleep(longestWaitMs);
		this.isWaiting = false;
		if (this.places.taken < this.places.size) this.call();
	}

	private call(): void {
		for (const calls of this.asked) {
			if (calls.waiting > 0) void calls.flush();
			else this.asked.delete(calls);
		}
	}
}
