import { sleep } from 'n8n-workflow';

import type { Outcome } from '../../gateway/outcome';
import { type BatchQueue, Pool } from '../../gateway/pacing/queues';
import { ticks } from '../../gateway/pacing/time';
import { Width } from '../../gateway/pacing/width';
import type { Job } from './job';

/**
 * Items read ahead of those whose request may be under way. With more, more numbers with several
 * messages each could go in parallel, and a crash would leave more claimed keys in doubt.
 */
const itemsReadAhead = 10;

/** For how long n8n's thread is kept before it gets its turn, in ms. */
const longestBlockingMs = 50;

/** A batch leaves once this share of the places is free, and nothing else would fill them. */
const idleShare = 1 / 2;

/** It waits no longer for that, in ms: requests that hang must not hold up the others. */
const longestBatchWaitMs = 100;

/**
 * The flow of a run's items: how far is read ahead, how many requests are under way, and when a batch
 * of questions is worth a call.
 */
export class Flow {
	private readonly places: Pool;
	private readonly readAhead: Pool;
	private width = new Width(Infinity);
	private lookahead = itemsReadAhead;
	private hasBegun = false;
	private isReading = true;
	private isFlushPlanned = false;
	private yieldedAt = ticks();
	private readonly queues = new Set<Pick<BatchQueue<unknown, unknown>, 'waiting' | 'flush'>>();

	/** @param isOfReads whether these are reads: an answer may take megabytes, so only a few are made */
	constructor(private readonly isOfReads: boolean) {
		this.places = new Pool(this.width.current);
		this.readAhead = new Pool(this.width.current + itemsReadAhead);
	}

	/** Waits until another item may be read; it ends with `settle`. */
	async waitToRead(): Promise<void> {
		const room = this.readAhead.enter();
		if (this.queues.size > 0) this.flushIfDue();
		await room;
		await this.yieldToEventLoop();
	}

	/** Lets n8n do what waits for its thread, if it has waited for long. */
	async yieldToEventLoop(): Promise<void> {
		if (ticks() - this.yieldedAt < longestBlockingMs) return;
		await sleep(0);
		this.yieldedAt = ticks();
	}

	/** Call when no more items will be read. */
	endReading(): void {
		this.isReading = false;
		if (this.queues.size > 0) this.flushIfDue();
	}

	/** Call when it is known what became of an item. */
	settle(): void {
		this.readAhead.leave();
	}

	/** Asks with the next batch. */
	async ask<Q, A>(queue: BatchQueue<Q, A>, question: Q): Promise<A> {
		const answer = queue.ask(question);
		this.queues.add(queue);
		this.flushIfDue();
		return await answer;
	}

	/** Makes a request once it has a place, and keeps the place until the task is over. */
	async inPlace<T>(task: () => Promise<T>): Promise<T> {
		await this.places.enter();
		try {
			return await task();
		} finally {
			this.places.leave();
			if (this.queues.size > 0) this.flushIfDue();
		}
	}

	/** Call with the outcome of each attempt. */
	noteOutcome(job: Job, outcome: Outcome): void {
		if (!this.mayWiden(job)) return;
		if (!this.width.note(outcome, ticks())) return;
		job.account.limiterFor(job.request.path).recentWidth = this.width.recentWidth;
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
		const isPaced = Boolean(request.pause?.maxMs);
		if (isPaced) this.lookahead = 0;
		const recentWidth = this.mayWiden(job)
			? account.limiterFor(request.path).recentWidth
			: undefined;
		this.width = new Width(isPaced ? 1 : account.maxConcurrency, recentWidth);
		this.width.begin(ticks());
		this.resize();
	}

	private resize(): void {
		this.places.resize(this.width.current);
		this.readAhead.resize(this.width.current + this.lookahead);
	}

	/** Calls if nobody can go on without, and enough places are free for the call to be worth it. */
	private flushIfDue(): void {
		const canRead = this.isReading && this.readAhead.queued === 0;
		const { taken, size } = this.places;
		if (canRead || taken > size * (1 - idleShare)) void this.flushSoon();
		else this.flushAll();
	}

	private async flushSoon(): Promise<void> {
		const isAsked = [...this.queues].some(({ waiting }) => waiting > 0);
		if (this.isFlushPlanned || !isAsked) return;
		this.isFlushPlanned = true;
		await sleep(longestBatchWaitMs);
		this.isFlushPlanned = false;
		if (this.places.taken < this.places.size) this.flushAll();
	}

	private flushAll(): void {
		for (const queue of this.queues) {
			if (queue.waiting > 0) void queue.flush();
			else this.queues.delete(queue);
		}
	}
}
