import { inProcess } from '../maps';
import type { Outcome } from '../outcome';
import { ticks, type Abort } from './time';
import { Lanes } from './queues';
import type { Attempt } from './limiter';

/** The shortest and the longest pause, in ms. */
export interface Pause {
	minMs: number;
	maxMs: number;
}

/** The longest pause, in seconds. A longer one was meant in another unit. */
const longestPauseSeconds = 3600;

/** Reads a pause. @param entered seconds: `2`, or a range `1-3` @returns undefined if it is neither */
export function parsePause(entered: string): Pause | undefined {
	const range = /^(\d+(?:\.\d+)?)(?:\s*[-–]\s*(\d+(?:\.\d+)?))?$/;
	const [, min, max = min] = range.exec(entered.replaceAll(',', '.')) ?? [];
	const pause = { minMs: 1000 * Number(min), maxMs: 1000 * Number(max) };
	return pause.minMs <= pause.maxMs && pause.maxMs <= 1000 * longestPauseSeconds
		? pause
		: undefined;
}

/** The pace of each chat-app instance, by a hash of its address and token: the latest 1,000, and those in use. */
export const paceOf = inProcess.each(
	1_000,
	() => new Pace(),
	(pace) => pace.isInUse,
);

/**
 * Lets the messages of a chat-app instance leave one at a time, across executions, with a pause from
 * the end of one to the next. Runs take turns, as each has one message here at a time.
 */
export class Pace {
	private readonly lanes = new Lanes();
	/** The end of the latest message, in ticks, and the longest pause that the next one may have to wait. */
	private latest = { endedAt: -Infinity, maxPauseMs: 0 };

	/** Whether a message is under way or waits, or whether a new one would have to wait. */
	get isInUse(): boolean {
		return this.lanes.isTaken('') || ticks() < this.latest.endedAt + this.latest.maxPauseMs;
	}

	/** Makes an attempt in its turn. Returns undefined if it was not made, or the run was stopped before. */
	async run(attempt: Attempt, { minMs, maxMs }: Pause, abort: Abort): Promise<Outcome | undefined> {
		if (maxMs === 0) return await attempt();
		const leave = async () => {
			const due = this.latest.endedAt + minMs + Math.random() * (maxMs - minMs);
			// A timer may end too early.
			while (ticks() < due && (await abort.pause(Math.ceil(due - ticks()))));
			const outcome = abort.isStopped ? undefined : await attempt();
			if (outcome) this.latest = { endedAt: ticks(), maxPauseMs: maxMs };
			return outcome;
		};
		return await this.lanes.run([''], leave, abort.stopped);
	}
}
