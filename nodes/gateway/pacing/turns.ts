import type { Halt } from './abort';

/** Lets tasks run one after the other, in the order they came. */
export class Turns {
	private last: Promise<unknown> = Promise.resolve();

	/**
	 * Runs a task in its turn. One that is halted waits no longer, and keeps nobody behind it waiting.
	 *
	 * @param task must not reject, and has to end soon when the halt stops
	 * @returns what the task gives, or undefined where it was halted before
	 */
	async take<T>(halt: Halt, task: () => Promise<T>): Promise<T | undefined> {
		const turn = this.last.then(async () => (halt.isStopped ? undefined : await task()));
		this.last = turn;
		return await Promise.race([turn, halt.stopped.then(() => undefined)]);
	}
}
