/** Lets at most `size` tasks hold a place at a time; the others wait in the order they came. */
export class Pool {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly size: number) {
		this.free = size;
	}

	get isFull(): boolean {
		return this.free === 0;
	}

	/** Waits for a place; the caller gives it back with `leave`. */
	async enter(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	leave(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.free++;
	}

	/** Waits until all places are free, and takes them. */
	async drain(): Promise<void> {
		for (let place = 0; place < this.size; place++) await this.enter();
	}
}
