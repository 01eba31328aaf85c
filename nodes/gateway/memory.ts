/**
 * What a process keeps between two calls of n8n is in a memory that was made here, so that each
 * has a limit and all of them can be cleared. Say at the declaration what it contains, by which key:
 *
 *     // How fast each account may be used, by a hash of its address and key: the latest 1,000.
 *     const limiters = remember<Limiter>(1_000);
 *
 * Modules keep the memory itself, never one of its entries.
 */
const memories: Array<{ clear(): void }> = [];

/** @param limit of entries; `Infinity` if whoever adds one also deletes it */
export function remember<T>(limit: number): BoundedMap<T> {
	const memory = new BoundedMap<T>(limit);
	memories.push(memory);
	return memory;
}

/** Remembers something about an object for as long as the object exists. */
export function rememberBy<K extends object, T>(): WeakMemory<K, T> {
	const memory = new WeakMemory<K, T>();
	memories.push(memory);
	return memory;
}

/** For tests, many of which share one process. */
export const forgetEverything = (): void => memories.forEach((memory) => memory.clear());

/** A map that forgets its oldest entry when full. Setting an entry makes it the newest. */
class BoundedMap<T> extends Map<string, T> {
	constructor(private readonly limit: number) {
		super();
	}

	override set(key: string, value: T): this {
		this.delete(key);
		super.set(key, value);
		if (this.size > this.limit) this.delete(this.keys().next().value!);
		return this;
	}
}

/** A WeakMap that can be cleared. */
class WeakMemory<K extends object, T> {
	private entries = new WeakMap<K, T>();

	get = (key: K): T | undefined => this.entries.get(key);

	has = (key: K): boolean => this.entries.has(key);

	set = (key: K, value: T): unknown => this.entries.set(key, value);

	delete = (key: K): boolean => this.entries.delete(key);

	clear(): void {
		this.entries = new WeakMap();
	}
}
