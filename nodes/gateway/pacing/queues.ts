import { sleep } from 'n8n-workflow';

/** The longest timer, in ms: Node.js would end a longer one at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Stops a run: its waits end at once and no new request may start. */
export class Abort {
	isStopped = false;
	private resolveStopped = () => {};
	readonly stopped = new Promise<void>((resolve) => (this.resolveStopped = resolve));

	stop(): void {
		this.isStopped = true;
		this.resolveStopped();
	}

	/** @returns false if the run was stopped before or meanwhile */
	async pause(ms: number): Promise<boolean> {
		if (this.isStopped) return false;
		const wait = new AbortController(); // its own: Node.js warns of one with more than ten listeners
		// A race, as `sleep` ignores the signal before n8n-workflow 2.34.
		await Promise.race([
			sleep(Math.min(ms, longestTimerMs), wait.signal).catch(() => {}),
			this.stopped,
		]);
		wait.abort(); // ends its timer
		return !this.isStopped;
	}

	/**
	 * Waits until a time by `performance.now()`, which may change meanwhile: a timer may end too early as well.
	 *
	 * @returns false if the run is stopped, or the wait is not wanted any more
	 */
	async waitUntil(time: () => number, isWanted = () => true): Promise<boolean> {
		while (!this.isStopped && isWanted()) {
			const waitMs = time() - performance.now();
			if (waitMs <= 0) return true;
			await this.pause(Math.ceil(waitMs));
		}
		return false;
	}
}

/** Limits how many tasks have a place at a time; the others wait in the order they came. */
export class Pool {
	/** The number of places taken: more than there are once the pool has been made smaller. */
	taken = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(public size: number) {}

	/** The number of tasks that wait for a place. */
	get queued(): number {
		return this.waiting.length;
	}

	/** Waits for a place; the caller gives it back with `leave`. */
	async enter(): Promise<void> {
		if (this.taken >= this.size) {
			return await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		this.taken++;
	}

	/** Waits for a place, or until it is stopped. @returns the function that gives it back, also if it comes later */
	async take(stopped: Promise<void>): Promise<() => void> {
		const entered = this.enter();
		if (this.queued > 0) await Promise.race([entered, stopped]);
		return () => void entered.then(() => this.leave());
	}

	leave(): void {
		this.taken--;
		this.admit();
	}

	/** Changes the number of places. Tasks that have a place keep it. */
	resize(size: number): void {
		this.size = size;
		this.admit();
	}

	private admit(): void {
		while (this.taken < this.size && this.waiting.length > 0) {
			this.taken++;
			this.waiting.shift()!();
		}
	}
}

/** Runs tasks that share a lane one after another, in the order they came. */
export class Lanes {
	private readonly tails = new Map<string, Promise<void>>();

	/**
	 * Runs a task after those before it in these lanes. With nothing before it, the task starts at once.
	 *
	 * @param stopped ends this task's wait early; those behind it still wait for those before it
	 */
	async run<T>(
		lanes: string[],
		task: () => Promise<T>,
		stopped: Promise<void> = new Promise(() => {}),
	): Promise<T> {
		const before = lanes.flatMap((lane) => this.tails.get(lane) ?? []);
		const turn = before.length > 0 && Promise.race([Promise.all(before), stopped]);
		const done = turn ? turn.then(task) : task();
		const leave = () => {
			for (const lane of lanes) if (this.tails.get(lane) === tail) this.tails.delete(lane);
		};
		const tail = turn ? Promise.allSettled([...before, done]).then(leave) : done.then(leave, leave);
		for (const lane of lanes) this.tails.set(lane, tail);
		return await done;
	}
}

/**
 * Collects questions for calls that answer many at once (group commit): one call is under way at a time,
 * and the next takes everything that waits by then.
 */
export class BatchQueue<Q, A> {
	private queue: Array<{
		question: Q;
		resolve: (answer: A) => void;
		reject: (error: unknown) => void;
	}> = [];
	private isFlushWanted = false;
	private underWay: Promise<void> | undefined;

	/**
	 * @param call answers each question, in their order, or says what will; what it throws is the answer
	 * to all of them
	 */
	constructor(
		private readonly call: (questions: Q[]) => Promise<Array<A | Error | Promise<A | Error>>>,
	) {}

	/** Asks a question with a call that leaves at the end of the tick, or after the one under way. */
	async ask(question: Q): Promise<A> {
		const answer = this.add(question);
		void this.flush();
		return await answer;
	}

	/** Adds a question to the next call, which somebody else makes. */
	async add(question: Q): Promise<A> {
		return await new Promise((resolve, reject) => this.queue.push({ question, resolve, reject }));
	}

	/** Makes a call, now or after the one under way. Resolves when no call is under way any more. */
	async flush(): Promise<void> {
		if (this.queue.length > 0) {
			this.isFlushWanted = true;
			this.underWay ??= this.flushWhileWanted();
		}
		await this.underWay;
	}

	private async flushWhileWanted(): Promise<void> {
		while (this.isFlushWanted) {
			await sleep(0); // those who are about to ask join this call
			this.isFlushWanted = false;
			const asked = this.queue.splice(0);
			const answers = await this.call(asked.map(({ question }) => question)).catch(
				(error: unknown) => asked.map(() => error),
			);
			asked.forEach(async ({ resolve, reject }, index) => {
				const answer = (await answers[index]) as A | Error;
				if (answer instanceof Error) reject(answer);
				else resolve(answer);
			});
		}
		this.underWay = undefined;
	}
}
