/** Lets at most so many tasks hold a place at a time; the others wait in the order they came. */
export class Pool {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	constructor(private places: number) {
		this.free = places;
	}

	get size(): number {
		return this.places;
	}

	get isFull(): boolean {
		return this.free === 0;
	}

	get isIdle(): boolean {
		return this.free === this.places;
	}

	/** Tasks that wait for a place. */
	get queued(): number {
		return this.waiting.length;
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

	/** Adds half as many places as there are, up to so many in all. */
	grow(most: number): void {
		const more = Math.min(Math.ceil(this.size / 2), most - this.size);
		for (let place = 0; place < more; place++) {
			this.places++;
			this.leave();
		}
	}

	/** Waits until all places are free, and takes them. */
	async drain(): Promise<void> {
		for (let place = 0; place < this.size; place++) await this.enter();
	}
}
