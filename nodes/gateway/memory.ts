/** A map that forgets the oldest entry when it is full. */
export class BoundedMap<T> {
	private readonly entries = new Map<string, T>();

	constructor(private readonly limit: number) {}

	get(key: string): T | undefined {
		return this.entries.get(key);
	}

	/** The entry becomes the newest. */
	set(key: string, value: T): void {
		this.entries.delete(key);
		this.entries.set(key, value);
		if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value!);
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}
}
