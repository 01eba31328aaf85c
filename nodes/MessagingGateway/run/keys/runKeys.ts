import type { IExecuteFunctions } from 'n8n-workflow';

import type { SelectedWorkflow } from '../../../form/fields/workflow';
import { inProcess } from '../../../gateway/inProcess';
import { isAgentTool } from '../../../gateway/agent';
import type { Abort } from '../../../gateway/pacing/abort';
import { ticks } from '../../../gateway/pacing/clock';
import type { Flow } from '../flow';
import { kindOf, type Fate } from '../job';
import { nodeContext, runIndexOf } from '../nodeContext';
import { KeyRow } from './keyRow';
import type { Claim, Key, KeyStore, UsedKey } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore } from './workflowKeyStore';

/** Growing pauses, in ms, between checks of a key that somebody else is using. */
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** Rows that still have to store the end of a claim, by the key's lane; it is removed once stored. */
const endings = inProcess.map<KeyRow>(Infinity);

/** The keys of one run. */
export class RunKeys {
	readonly store: KeyStore;
	private readonly scope: string;
	private row: KeyRow | undefined;

	/** Lanes of the keys that the run has claimed. */
	private readonly claimed = new Set<string>();

	private count: Count | undefined;

	/** How many keys the execution had before this run. */
	private earlier = 0;

	/** @param abort ends waits */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly workflow: SelectedWorkflow | undefined,
		private readonly flow: Pick<Flow, 'ask'>,
		private readonly abort: Abort,
	) {
		this.scope = `${context.getWorkflow().id} ${context.getNode().id}`;
		this.store = workflow
			? new WorkflowKeyStore(context, workflow, this.scope)
			: new N8nKeyStore(context.helpers, context.getInstanceId());
	}

	/** A name for the key that is unique across nodes. */
	laneOf({ key, scope = 'key' }: Key): string {
		return `${this.scope} ${scope} ${key}`;
	}

	/** How many keys the store has to keep once this run has added this many. */
	countWith(keys: number): number {
		if (this.store.capacity === Infinity) return keys;
		if (!this.count) {
			this.count = openCount(this.context);
			this.earlier = this.count.earlier;
		}
		return this.earlier + keys;
	}

	/**
	 * What a claim would return.
	 *
	 * @throws StoreError what the store throws; then nothing may be sent
	 */
	async read(key: Key): Promise<'fresh' | UsedKey> {
		return await this.ask('read', key);
	}

	/** @throws StoreError likewise */
	async claim(key: Key): Promise<'fresh' | UsedKey> {
		const claim = await this.ask('claim', key);
		if (claim !== 'fresh') return claim;
		this.claimed.add(this.laneOf(key));
		if (this.count) this.count.own++;
		return claim;
	}

	/**
	 * Ends a claim of this run, with the next call or at the end of the run. Not one whose message may
	 * have been sent: its key stays in doubt.
	 */
	end(key: Key, fate: Fate): void {
		const lane = this.laneOf(key);
		if (!this.claimed.delete(lane)) return;
		const kind = kindOf(fate);
		if (kind === 'unknown' || kind === 'asked') return;
		const ending = kind === 'accepted' ? 'accepted' : 'released';
		if (ending === 'released' && this.count) this.count.own--;
		const row = this.row!;
		endings.set(lane, row);
		const stored = row.calls.ask({ store: this.store, how: 'end', key: { ...key, ending } });
		void stored.then(() => endings.delete(lane));
	}

	/** Resolves when the ends of all claims are stored. */
	async close(): Promise<void> {
		await this.row?.close();
	}

	/** A key that somebody else is using is checked again until there is an answer, or none can come. */
	private async ask(how: 'claim' | 'read', key: Key): Promise<'fresh' | UsedKey> {
		const end = ticks() + (key.timeoutMs ?? 0);
		for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
			const claim = await this.askOnce(how, key);
			if (claim !== 'pending') return claim;
			if (ticks() >= end || !(await this.abort.pause(pauseMs))) return 'unanswered';
		}
	}

	private async askOnce(how: 'claim' | 'read', key: Key): Promise<Claim> {
		// A workflow's database keeps executions apart on its own, so no row is shared.
		this.row ??= KeyRow.open(this.workflow ? undefined : this.scope);
		const before = endings.get(this.laneOf(key));
		if (before && before !== this.row) await before.calls.flush(); // in the same row, it goes first
		return (await this.flow.ask(this.row.calls, { store: this.store, how, key })) as Claim;
	}
}

/** How many keys an execution has added to a store that keeps only the latest ones. */
interface Count {
	/** Index of the node's run, in a loop, that added keys last. */
	run: number;
	/** Keys of the runs before it. */
	earlier: number;
	/** Keys of that run, in all of its tries. */
	own: number;
}

/**
 * The count is kept in n8n's context of the node: so it covers the runs of a loop, the tries of 'Retry
 * On Fail', and the execution that n8n's Retry starts.
 */
function openCount(context: IExecuteFunctions): Count {
	const run = runIndexOf(context);
	const data = nodeContext(context);
	const count = (data.deduplicationKeys ??= { run, earlier: 0, own: 0 }) as Count;
	// A tool's calls share one context and run index, but each sends a different message.
	if (count.run !== run || isAgentTool(context.getNode())) {
		Object.assign(count, { run, earlier: count.earlier + count.own, own: 0 });
	}
	return count;
}
