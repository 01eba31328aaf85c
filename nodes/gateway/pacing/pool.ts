/** Limits how many tasks have a place at a time; the others wait in the order they came. */
export class Pool {
	private inUse = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private places: number) {}

	get size(): number {
		return this.places;
	}

	/** How many places are taken: more than there are once the pool has been made smaller. */
	get taken(): number {
		return this.inUse;
	}

	/** How many tasks wait for a place. */
	get queued(): number {
		return this.waiting.length;
	}

	/** Waits for a place; the caller gives it back with `leave`. */
	async enter(): Promise<void> {
		if (this.inUse >= this.places) {
			return await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		this.inUse++;
	}

	leave(): void {
		this.inUse--;
		this.admit();
	}

	/** Tasks that have a place keep it. */
	resize(places: number): void {
		this.places = places;
		this.admit();
	}

	private admit(): void {
		while (this.inUse < this.places && this.waiting.length > 0) {
			this.inUse++;
			this.waiting.shift()!();
		}
	}
}
