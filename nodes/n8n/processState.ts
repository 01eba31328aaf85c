import { hash } from 'crypto';

import { BoundedMap, entryOf } from '../text/collections';

const mapsInProcess: Array<{ clear(): void }> = [];

/**
 * Makes the maps of what a process keeps between two calls of n8n, so that each has a limit and all can be
 * cleared. Modules keep the map itself, never one of its entries. A WeakMap needs neither.
 */
export const inProcess = {
	/** @param limit the most entries besides those in use; `Infinity` if whoever adds one also deletes it */
	map<T>(limit: number, isInUse?: (entry: T) => boolean): Map<string, T> {
		const map = new BoundedMap<T>(limit, isInUse);
		mapsInProcess.push(map);
		return map;
	},

	/** Keeps one entry for each account or the like; asked for, it becomes the newest. Its key is a hash. */
	each<T>(
		limit: number,
		make: () => T,
		isInUse?: (entry: T) => boolean,
	): (...names: string[]) => T {
		const map = inProcess.map<T>(limit, isInUse);
		return (...names) => entryOf(map, hash('sha256', JSON.stringify(names), 'base64'), make);
	},

	/** Empties the maps, for tests, many of which share one process. */
	clear: (): void => mapsInProcess.forEach((map) => map.clear()),
};
