/** Runs tasks that share a lane one after another, in the order they came. */
export class Lanes {
	private readonly tails = new Map<string, Promise<void>>();

	/**
	 * Runs a task after those before it in these lanes. With nothing before it, the task starts at once.
	 *
	 * @param stopped ends this task's wait early; those behind it still wait for those before it
	 */
	async run<T>(
		lanes: string[],
		task: () => Promise<T>,
		stopped: Promise<void> = new Promise(() => {}),
	): Promise<T> {
		const before = lanes.flatMap((lane) => this.tails.get(lane) ?? []);
		const turn = before.length > 0 && Promise.race([Promise.all(before), stopped]);
		const done = turn ? turn.then(task) : task();
		const leave = () => {
			for (const lane of lanes) if (this.tails.get(lane) === tail) this.tails.delete(lane);
		};
		const tail = turn ? Promise.allSettled([...before, done]).then(leave) : done.then(leave, leave);
		for (const lane of lanes) this.tails.set(lane, tail);
		return await done;
	}
}
