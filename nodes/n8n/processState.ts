import { hash } from 'crypto';

import { BoundedMap, entryOf } from '../text/collections';

const mapsInProcess: Array<{ clear(): void }> = [];

/**
 * Makes the maps of what a process keeps between two calls of n8n, so that each has a limit and all of
 * them can be cleared. Each declaration says what it contains, by which key, as `limiterOf` does.
 * Modules keep the map itself, never one of its entries.
 */
export const inProcess = {
	/** @param limit the most entries besides those in use; `Infinity` if whoever adds one also deletes it */
	map<T>(limit: number, isInUse?: (entry: T) => boolean): Map<string, T> {
		const map = new BoundedMap<T>(limit, isInUse);
		mapsInProcess.push(map);
		return map;
	},

	/**
	 * Keeps one entry for each account or the like; asked for, it becomes the newest. Its key is a hash.
	 *
	 * @param limit the most entries besides those in use
	 */
	each<T>(
		limit: number,
		make: () => T,
		isInUse?: (entry: T) => boolean,
	): (...names: string[]) => T {
		const map = inProcess.map<T>(limit, isInUse);
		return (...names) => entryOf(map, hash('sha256', JSON.stringify(names), 'base64'), make);
	},

	/** Keeps something about an object for as long as the object exists: needs no limit, and no end. */
	weakMap: <K extends object, T>() => new WeakMap<K, T>(),

	/** Empties the maps, for tests, many of which share one process. */
	clear: (): void => mapsInProcess.forEach((map) => map.clear()),
};
