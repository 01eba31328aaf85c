import type { Account } from '../account/account';
import { inProcess } from '../n8n/processState';
import type { Pause } from '../text/pause';
import type { Abort } from './abort';
import { Pool } from './pool';

/** The pace of each chat-app instance, by a hash of its address and token: the latest 1,000, and those in use. */
const paceByToken = inProcess.each(
	1_000,
	() => new Pace(),
	(pace) => pace.isInUse,
);

/** Returns how far apart the messages of an account's chat-app instance leave. */
export const paceOf = ({
	baseUrl,
	instanceToken,
}: Pick<Account, 'baseUrl' | 'instanceToken'>): Pace => paceByToken(baseUrl.href, instanceToken);

/**
 * Lets requests leave one at a time, across executions, with a pause from the end of one to the next. The
 * runs of a chat-app instance take turns, as each has one message here at a time.
 */
export class Pace {
	private readonly queue = new Pool(1);
	/** When the latest request ended, by `performance.now()`, and the longest pause that may follow. */
	private latest = { endedAt: -Infinity, maxPauseMs: 0 };

	/** Whether a request is under way or waits, or whether a new one would have to wait. */
	get isInUse(): boolean {
		return this.queue.taken > 0 || performance.now() < this.latest.endedAt + this.latest.maxPauseMs;
	}

	/**
	 * Waits until a request may leave, unless the run is stopped before. Call what it returns at the end of
	 * the request, with whether it has left.
	 */
	async enter({ minMs, maxMs }: Pause, abort: Abort) {
		if (maxMs === 0) return undefined;
		const leave = await this.queue.take(abort.stopped);
		const due = this.latest.endedAt + minMs + Math.random() * (maxMs - minMs);
		await abort.waitUntil(() => due);
		return (hasLeft: boolean) => {
			if (hasLeft) this.latest = { endedAt: performance.now(), maxPauseMs: maxMs };
			leave();
		};
	}
}
