/** The law of an outage: what may leave while a service loses messages, or refuses their key. */
import { demand } from './violation';

/**
 * What came of a request. A loss is one with an unknown outcome; an answer is the service's own yes or no. 429, a
 * connection that was never made, and a service that asks for a pause are neither.
 */
export type Evidence = 'loss' | 'answer' | 'keyRefusal' | 'neither';

/** Counts since the last answer. A probe is a request that leaves alone, after three losses. */
const nothing = () => ({
	losses: 0,
	probesLost: 0,
	keyRefusals: 0,
	lostAt: -Infinity,
	/** How many had left when the first failure was known. */
	leftBefore: Infinity,
});

/** One account's family of paths in one run of the node. */
export class Family {
	private left = 0;
	private probesUnderWay = 0;
	/** Whether nothing may leave any more in this run. */
	isOver = false;
	private since = nothing();

	/** @param width how many requests may be under way at a time */
	constructor(
		private readonly now: () => number,
		private readonly width: number,
	) {}

	/** Call when a request leaves. @returns whether it is a probe, and what to call with what came of it */
	leaves(): { isProbe: boolean; tell(evidence: Evidence): void } {
		const number = ++this.left;
		const { losses, probesLost, lostAt } = this.since;
		const isProbe = losses >= 3;
		demand(!this.isOver, 'Nothing leaves after five lost probes, or five refusals of the key');
		if (isProbe) {
			const waitedMs = this.now() - lostAt;
			demand(this.probesUnderWay === 0, 'After three losses one message leaves at a time');
			demand(waitedMs >= 1_000 * 2 ** probesLost, 'After losses, each message waits twice as long');
			this.probesUnderWay++;
		}
		const tell = (evidence: Evidence) => {
			if (isProbe) this.probesUnderWay--;
			this.note(evidence, number, isProbe);
		};
		return { isProbe, tell };
	}

	private note(evidence: Evidence, number: number, isProbe: boolean): void {
		const { since } = this;
		if (evidence === 'answer' && number > since.leftBefore) this.since = nothing();
		if (evidence === 'loss') {
			if (isProbe && since.losses >= 3) since.probesLost++;
			since.losses++;
			since.lostAt = this.now();
		}
		if (evidence === 'keyRefusal') since.keyRefusals++;
		if (evidence === 'loss' || evidence === 'keyRefusal') {
			since.leftBefore = Math.min(since.leftBefore, this.left);
		}
		this.isOver ||= since.probesLost >= 5 || since.keyRefusals >= 5;
		demand(since.losses <= this.width + 2 + 5, 'An outage leaves few messages in doubt');
	}
}
