import { sleep } from 'n8n-workflow';

import { isOfInstance } from '../../gateway/account';
import { entryOf } from '../../gateway/maps';
import type { Outcome } from '../../gateway/outcome';
import { CircuitBreaker } from '../../gateway/pacing/circuitBreaker';
import { type BatchQueue, Pool } from '../../gateway/pacing/queues';
import { usualWidth, Width } from '../../gateway/pacing/width';
import type { Job } from './job';

/**
 * The number of items read ahead of those whose request may be under way. With more, more numbers with
 * several messages each could go in parallel, but a crash would leave more claimed keys in doubt.
 */
const itemsReadAhead = 10;

/** The longest time, in ms, for which a run keeps n8n's thread from other work. */
const longestBlockingMs = 50;

/** A batch leaves once this share of the places is free, and nothing else would fill them. */
const idleShare = 1 / 2;

/** A batch waits for that at most so many ms, because requests that hang must not hold up the others. */
const longestBatchWaitMs = 100;

/**
 * Controls the flow of a run's items: how far is read ahead, how many requests are under way, and when a
 * batch of questions is worth a call.
 */
export class Flow {
	/** Undefined until the run has begun. */
	private width: Width | undefined;
	private readonly places = new Pool(usualWidth);
	private readonly readAhead = new Pool(usualWidth + itemsReadAhead);
	private isReading = true;
	private isFlushPlanned = false;
	private yieldedAt = performance.now();
	private readonly breakers = new Map<object, CircuitBreaker>();
	private readonly queues = new Set<Pick<BatchQueue<unknown, unknown>, 'waiting' | 'flush'>>();

	/** @param isOfReads whether the requests only read: answers may take megabytes, so few are made at a time */
	constructor(private readonly isOfReads: boolean) {}

	/** Waits until another item may be read. Each such item ends with `settle`. */
	async waitToRead(): Promise<void> {
		const room = this.readAhead.enter();
		if (this.queues.size > 0) this.flushIfDue();
		await room;
		await this.yieldToEventLoop();
	}

	/** Lets n8n do what waits for its thread, if it has waited for too long. */
	async yieldToEventLoop(): Promise<void> {
		if (performance.now() - this.yieldedAt < longestBlockingMs) return;
		await sleep(0);
		this.yieldedAt = performance.now();
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

	/** Adds a question to the next batch, and returns its answer. */
	async ask<Q, A>(queue: BatchQueue<Q, A>, question: Q): Promise<A> {
		const answer = queue.ask(question);
		this.queues.add(queue);
		this.flushIfDue();
		return await answer;
	}

	/** Runs a task once there is a place for it, and keeps the place until the task is over. */
	async inPlace<T>(task: () => Promise<T>): Promise<T> {
		await this.places.enter();
		try {
			return await task();
		} finally {
			this.places.leave();
			if (this.queues.size > 0) this.flushIfDue();
		}
	}

	/** Returns the circuit breaker of an account's family of paths, or of a chat app's instance. */
	breakerFor({ account, request: { path } }: Job): CircuitBreaker {
		const owner = isOfInstance(path) ? account.pace() : account.limiterFor(path);
		return entryOf(this.breakers, owner, () => new CircuitBreaker());
	}

	/** Call with the outcome of each attempt. */
	noteOutcome(job: Job, outcome: Outcome): void {
		const { width } = this;
		if (!width || !this.mayWiden(job) || !width.note(outcome, performance.now())) return;
		job.account.limiterFor(job.request.path).recentWidth = width.recentWidth;
		this.resize(width.current);
	}

	private mayWiden({ request }: Job): boolean {
		return !this.isOfReads && !request.readBody && !request.pause;
	}

	/** Sets how wide the run begins, by what is known of the account. Call as soon as an item was read. */
	begin(job: Job): void {
		if (this.width) return;
		const { account, request } = job;
		const recent = this.mayWiden(job) ? account.limiterFor(request.path).recentWidth : undefined;
		// One message leaves at a time, for hours. If none is read ahead, a crash leaves only its key in doubt.
		const isPaced = Boolean(request.pause?.maxMs);
		this.width = new Width(isPaced ? 1 : account.maxConcurrency, recent);
		this.width.begin(performance.now());
		this.resize(this.width.current, isPaced ? 0 : itemsReadAhead);
	}

	private resize(width: number, ahead = itemsReadAhead): void {
		this.places.resize(width);
		this.readAhead.resize(width + ahead);
	}

	/** Makes the calls if nobody can go on without them, and enough places are free for them to be worth it. */
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
