/** Limits how many tasks have a place at a time; the others wait in the order they came. */
export class Pool {
	/** The number of places taken: more than there are once the pool has been made smaller. */
	taken = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(public size: number) {}

	/** Waits for a place, or until it is stopped. @returns the function that gives it back, also if it comes later */
	async take(stopped: Promise<void>): Promise<() => void> {
		if (this.taken < this.size) {
			this.taken++;
			return () => this.leave();
		}
		const entered = new Promise<void>((resolve) => this.waiting.push(resolve));
		await Promise.race([entered, stopped]);
		return () => void entered.then(() => this.leave());
	}

	/** Changes the number of places. Tasks that have a place keep it. */
	resize(size: number): void {
		this.size = size;
		while (this.taken < this.size && this.waiting.length > 0) {
			this.taken++;
			this.waiting.shift()!();
		}
	}

	private leave(): void {
		this.taken--;
		this.resize(this.size);
	}
}
