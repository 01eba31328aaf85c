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
