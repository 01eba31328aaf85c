/** Runs tasks that share a lane one after another, in the order they came. */
export class Lanes {
	private readonly tails = new Map<string, Promise<unknown>>();

	/**
	 * A task with nothing before it starts at once.
	 *
	 * @param stopped ends this task's wait early; those behind it still wait for those before it
	 */
	async run<T>(
		lanes: string[],
		task: () => Promise<T>,
		stopped: Promise<void> = new Promise(() => {}),
	): Promise<T> {
		const tails = lanes.flatMap((lane) => this.tails.get(lane) ?? []);
		const before = Promise.all(tails);
		const done = tails.length === 0 ? task() : Promise.race([before, stopped]).then(task);
		const tail = Promise.allSettled([before, done]);
		lanes.forEach((lane) => this.tails.set(lane, tail));
		void tail.then(() =>
			lanes
				.filter((lane) => this.tails.get(lane) === tail)
				.forEach((lane) => this.tails.delete(lane)),
		);
		return await done;
	}
}
