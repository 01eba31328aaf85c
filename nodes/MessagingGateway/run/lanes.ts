/** Runs tasks that share a lane one after the other, in the order they came. */
export class Lanes {
	private readonly tails = new Map<string, Promise<unknown>>();

	/**
	 * Where nothing is before it, a task starts at once.
	 *
	 * @param hurry ends the wait early; those behind go on waiting for those before
	 */
	async run(
		lanes: string[],
		task: () => Promise<void>,
		hurry: Promise<void> = new Promise(() => {}),
	): Promise<void> {
		const tails = lanes.flatMap((lane) => this.tails.get(lane) ?? []);
		const before = Promise.all(tails);
		const done = tails.length === 0 ? task() : Promise.race([before, hurry]).then(task);
		const tail = Promise.allSettled([before, done]);
		lanes.forEach((lane) => this.tails.set(lane, tail));
		void tail.then(() =>
			lanes
				.filter((lane) => this.tails.get(lane) === tail)
				.forEach((lane) => this.tails.delete(lane)),
		);
		await done;
	}
}
