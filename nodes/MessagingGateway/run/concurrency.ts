/** Runs tasks that share a lane one after another, in the order they came. */
export class Lanes {
	private readonly tails = new Map<string, Promise<unknown>>();

	/**
	 * A task with nothing before it starts at once.
	 *
	 * @param hurry ends this task's wait early; those behind it still wait for those before it
	 */
	async run(
		lanes: string[],
		task: () => Promise<void>,
		hurry: Promise<void> = new Promise(() => {}),
	): Promise<void> {
		const tails = lanes.flatMap((lane) => this.tails.get(lane) ?? []);
		const before = Promise.all(tails);
		const done = tails.length === 0 ? task() : Promise.race([before, hurry]).then(task);
		const tail = Promise.allSettled([before, done]);
		lanes.forEach((lane) => this.tails.set(lane, tail));
		void tail.then(() =>
			lanes
				.filter((lane) => this.tails.get(lane) === tail)
				.forEach((lane) => this.tails.delete(lane)),
		);
		await done;
	}
}

/** Limits how many tasks have a place at a time; the others wait in the order they came. */
export class Pool {
	private taken = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private places: number) {}

	get size(): number {
		return this.places;
	}

	get isFull(): boolean {
		return this.taken >= this.places;
	}

	/** How many tasks wait for a place. */
	get queued(): number {
		return this.waiting.length;
	}

	/** Waits for a place; the caller gives it back with `leave`. */
	async enter(): Promise<void> {
		if (this.isFull) await new Promise<void>((resolve) => this.waiting.push(resolve));
		else this.taken++;
	}

	leave(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.taken--;
	}

	/** Adds places up to this number. */
	growTo(places: number): void {
		for (; this.places < places; this.places++) {
			this.taken++;
			this.leave();
		}
	}

	/** Waits until all places are free, and takes them all. */
	async drain(): Promise<void> {
		for (let place = 0; place < this.places; place++) await this.enter();
	}
}
