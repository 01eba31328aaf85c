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
class ClearableWeakMap<K extends object, T> {
	private entries = new WeakMap<K, T>();

	get = (key: K): T | undefined => this.entries.get(key);

	has = (key: K): boolean => this.entries.has(key);

	set = (key: K, value: T): unknown => this.entries.set(key, value);

	delete = (key: K): boolean => this.entries.delete(key);

	clear(): void {
		this.entries = new WeakMap();
	}
}

const all: Array<{ clear(): void }> = [];

const added = <T extends { clear(): void }>(map: T): T => {
	all.push(map);
	return map;
};

/**
 * What a process keeps between two calls of n8n is in a map that was made here, so that each has a
 * limit and all of them can be cleared. Say at the declaration what it contains, by which key:
 *
 *     // How fast each account may be used, by a hash of its address and key: the latest 1,000.
 *     const limiters = inProcess.map<Limiter>(1_000);
 *
 * Modules keep the map itself, never one of its entries.
 */
export const inProcess = {
	/** @param limit of entries; `Infinity` if whoever adds one also deletes it */
	map: <T>(limit: number) => added(new BoundedMap<T>(limit)),

	/** Keeps something about an object for as long as the object exists. */
	weakMap: <K extends object, T>() => added(new ClearableWeakMap<K, T>()),

	/** For tests, many of which share one process. */
	clear: (): void => all.forEach((map) => map.clear()),
};
