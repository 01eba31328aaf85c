/** Returns the entry of a map, made where there is none. */
export function entryOf<K, V>(
	map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
	key: K,
	make: () => V,
): V {
	const entry = map.get(key) ?? make();
	map.set(key, entry);
	return entry;
}

/** Groups the entries of a list by what they have in common, in the order of the first ones. */
export function groupBy<T>(list: T[], nameOf: (entry: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const entry of list) entryOf(groups, nameOf(entry), () => []).push(entry);
	return groups;
}

/** A map that forgets its oldest entries when it is full, but none in use. Setting an entry makes it the newest. */
export class BoundedMap<T> extends Map<string, T> {
	constructor(
		private readonly limit: number,
		private readonly isInUse: (entry: T) => boolean = () => false,
	) {
		super();
	}

	override set(key: string, value: T): this {
		this.delete(key);
		super.set(key, value);
		for (const [oldest, entry] of this) {
			if (this.size <= this.limit || oldest === key) break;
			if (!this.isInUse(entry)) this.delete(oldest);
		}
		return this;
	}
}
