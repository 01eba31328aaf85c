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

/** Returns the entry of a cache, which begins anew once it is full. */
export function recentEntryOf<V>(cache: Map<string, V>, key: string, make: () => V): V {
	if (cache.size >= 10_000) cache.clear();
	return entryOf(cache, key, make);
}

/** Groups the entries of a list by what they have in common, in the order of the first ones. */
export function groupBy<T>(list: T[], nameOf: (entry: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const entry of list) entryOf(groups, nameOf(entry), () => []).push(entry);
	return groups;
}
