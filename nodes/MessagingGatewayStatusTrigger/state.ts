import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { inProcess } from '../gateway/maps';
import { isObject } from '../gateway/outcome';
import { Limiter } from '../gateway/pacing/limiter';
import { ticks } from '../gateway/pacing/time';
import type { SourceSnapshot, Source } from './statusEvent';

/** What n8n stores for a node, in its static data. The format never changes. */
interface StoredState {
	v: 1;
	/** A digest of event, filter and account: with others, the state starts afresh. */
	scope: string;
	/** Number of the poll that stored it: tells one state from the next. */
	poll: number;
	kept: Record<string, SourceSnapshot>;
}

type Snapshots = Map<string, SourceSnapshot>;

const stateIn = (data: IDataObject) => (data.state ?? {}) as Partial<StoredState>;

/** What the last poll kept; undefined if there was none, or its state got lost. */
export function readState(data: IDataObject, scope: string): Snapshots | undefined {
	const { v, kept, ...stored } = stateIn(data);
	const isUsable = v === 1 && stored.scope === scope && isObject(kept);
	return isUsable ? new Map(Object.entries(kept)) : undefined;
}

export function storeState(data: IDataObject, scope: string, after: Snapshots): void {
	const poll = (stateIn(data).poll ?? 0) + 1;
	data.state = { v: 1, scope, poll, kept: Object.fromEntries(after) };
}

/** In characters of JSON, which n8n reads and writes as a whole: a message takes 12. */
const maxStoredLength = 5_000_000;

export const canBeStored = (after: Snapshots): boolean =>
	JSON.stringify([...after]).length <= maxStoredLength;

/** A first poll starts nothing. The log says so, or the trigger would seem broken. */
export function logBaseline(
	context: IPollFunctions,
	sources: Source[],
	before: Snapshots | undefined,
	after: Snapshots,
): void {
	const isNew = ({ key }: Source) => after.has(key) && !before?.has(key);
	const names = sources.filter(isNew).map(({ name }) => name);
	if (names.length === 0) return;
	const { name } = context.getNode();
	context.logger.info(`${name}: first poll, changes count from now on: ${names.join(', ')}`);
}

/** In ms: n8n's durable scheduler reads the state for a poll before it begins. */
const handoverMs = 30_000;

/** What this process remembers of a node besides its stored state. Times are in ticks. */
class PolledNode {
	/** The poll under way; `isFirst` of its context. */
	polling?: { context: IPollFunctions; isFirst: boolean };
	/** The context of the latest poll. */
	private latestContext?: WeakRef<IPollFunctions>;
	/** The state that the last changes were found with. */
	private reported?: { poll: number | undefined; until: number };
	/** What the last poll did with its failures, if it had any. */
	lastFailure?: 'logged' | 'thrown';
	/** Key of the source that the next poll starts with, since the last one ran out of time. */
	nextSourceKey?: string;
	/** Pauses of the service, for an address and API key. */
	private pauses?: { account: string; limiter: Limiter };

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
		const isReported = reported && ticks() < reported.until && reported.poll === stateIn(data).poll;
		if (!isFree || isReported) return undefined;
		const isFirst = this.latestContext?.deref() !== context;
		this.latestContext = new WeakRef(context);
		return (this.polling = { context, isFirst });
	}

	/** Notes that changes are reported which were found with this stored state. */
	noteReport(data: IDataObject): void {
		this.reported = { poll: stateIn(data).poll, until: ticks() + handoverMs };
	}

	limiterFor(account: string): Limiter {
		if (this.pauses?.account !== account) this.pauses = { account, limiter: new Limiter() };
		return this.pauses.limiter;
	}
}

/** By workflow and node: the latest 1,000. */
const polledNodes = inProcess.each(1_000, () => new PolledNode());

export const polledNodeOf = (context: IPollFunctions): PolledNode =>
	polledNodes(context.getWorkflow().id!, context.getNode().id);

export type { PolledNode };
