/** Runs tasks that share a lane one after the other, in the order they came. */
export class Lanes {
	private readonly tails = new Map<string, Promise<void>>();

	/** @param task must not reject */
	async run(lanes: string[], task: () => Promise<void>): Promise<void> {
		const done = Promise.all(lanes.map((lane) => this.tails.get(lane))).then(task);
		lanes.forEach((lane) => this.tails.set(lane, done));
		await done;
		lanes
			.filter((lane) => this.tails.get(lane) === done)
			.forEach((lane) => this.tails.delete(lane));
	}
}
