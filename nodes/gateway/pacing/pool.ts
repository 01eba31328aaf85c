/** Limits how many tasks have a place at a time; the others wait in the order they came. */
export class Pool {
	/** How many places are taken: more than there are once the pool has been made smaller. */
	taken = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(public size: number) {}

	/** How many tasks wait for a place. */
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

	leave(): void {
		this.taken--;
		this.admit();
	}

	/** Tasks that have a place keep it. */
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
