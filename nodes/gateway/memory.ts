/**
 * All that a process remembers from one call of n8n to the next stands in memories that are made here:
 * so each has a limit, and all of them can be emptied, as the end of the process does. At the
 * declaration stands what is remembered, by which key, and how many:
 *
 *     // How fast each account may be used, by a hash of its address and key: the latest 1,000.
 *     const limiters = remember<Limiter>(1_000);
 *
 *     // Registrations under way, by node: each takes itself out.
 *     const underWay = remember<true>(Infinity);
 *
 *     // By n8n's object of the static data, for as long as n8n has it.
 *     const polled = rememberBy<object, true>();
 *
 * Modules keep the memory itself, never an entry of it.
 */
const memories: Array<{ clear(): void }> = [];

/** @param limit entries; `Infinity` where whoever adds one takes it out, as of what is under way */
export function remember<T>(limit: number): BoundedMap<T> {
	const memory = new BoundedMap<T>(limit);
	memories.push(memory);
	return memory;
}

/** What is remembered of an object as long as anybody else has it. */
export function rememberBy<K extends object, T>(): WeakMemory<K, T> {
	const memory = new WeakMemory<K, T>();
	memories.push(memory);
	return memory;
}

/** As the end of the process does: for tests, which run many in one. */
export const forgetEverything = (): void => memories.forEach((memory) => memory.clear());

/** A map that forgets the oldest entry when it is full. What is set becomes the newest. */
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

/** A WeakMap that can be emptied. */
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
