import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { inProcess } from '../n8n/processState';
import type { SourceSnapshot } from './statusEvent';

/** The node's entry in n8n's static data. Its format never changes. */
interface StoredState {
	v: 1;
	/** A digest of event, filter and account. If it differs, the state starts afresh. */
	scope: string;
	/** The number of the poll that stored it. It tells one state from the next. */
	poll: number;
	kept: Record<string, SourceSnapshot>;
}

type Snapshots = Map<string, SourceSnapshot>;

const stateIn = (data: IDataObject) => (data.state ?? {}) as Partial<StoredState>;

/** Returns the snapshots of the last poll; undefined if there was none, or its state got lost. */
export function readState(data: IDataObject, scope: string): Snapshots | undefined {
	const { v, kept = {}, ...stored } = stateIn(data);
	return v === 1 && stored.scope === scope ? new Map(Object.entries(kept)) : undefined;
}

export function storeState(data: IDataObject, scope: string, after: Snapshots): void {
	const poll = (stateIn(data).poll ?? 0) + 1;
	data.state = { v: 1, scope, poll, kept: Object.fromEntries(after) };
}

/** The largest state, in characters of JSON. A message takes 12. n8n reads and writes it as a whole. */
export const maxStoredLength = 5_000_000;

/** The time, in ms, in which n8n may begin a poll with a state that it read before the last report. */
const handoverMs = 30_000;

/** The node's memory in this process, besides its stored state. Times are by `performance.now()`. */
export class PolledNode {
	/** The poll under way; `isFirst` of its context. */
	polling?: { context: IPollFunctions; isFirst: boolean };
	private latestContext?: WeakRef<IPollFunctions>;
	/** The number of the state that the last report was based on, and how long that counts. */
	private reported?: { poll: number | undefined; until: number };
	/** The last poll logged its failures, or threw them; undefined if it had none. */
	lastFailure?: 'logged' | 'thrown';
	/** The index of the source that the next poll starts with, where the last one ran out of time. */
	firstSource = 0;

	/**
	 * Begins a poll. n8n makes a context for each activation and polls with it once while it activates;
	 * its durable scheduler makes one for each poll, with the mode `update`.
	 *
	 * @returns undefined if it has to be left out: one is under way, or its changes were reported. One
	 * that is not its context's first is given up when another context polls: the workflow was published
	 * again, and n8n before 2.41 would report from both.
	 */
	begin(context: IPollFunctions, data: IDataObject) {
		const { polling, reported } = this;
		const isFree = !polling || (polling.context !== context && !polling.isFirst);
		const isReported =
			reported && performance.now() < reported.until && reported.poll === stateIn(data).poll;
		if (!isFree || isReported) return undefined;
		const isFirst = this.latestContext?.deref() !== context;
		this.latestContext = new WeakRef(context);
		return (this.polling = { context, isFirst });
	}

	noteReport(data: IDataObject): void {
		this.reported = { poll: stateIn(data).poll, until: performance.now() + handoverMs };
	}
}

/** The latest 1,000 nodes, by workflow and node. */
export const polledNodes = inProcess.each(1_000, () => new PolledNode());
