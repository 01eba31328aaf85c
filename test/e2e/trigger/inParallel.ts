/** Does something with each entry, so many at a time; results in the order of the entries. */
export async function inParallel<T, R>(
	size: number,
	entries: T[],
	task: (entry: T) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const queue = entries.entries(); // shared: each worker takes the next one
	const work = async () => {
		for (const [index, entry] of queue) results[index] = await task(entry);
	};
	await Promise.all(Array.from({ length: size }, work));
	return results;
}
