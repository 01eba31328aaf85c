import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { SelectedWorkflow } from '../../../form/fields/workflow';
import { inProcess } from '../../../gateway/inProcess';
import type { Abort } from '../../../gateway/pacing/abort';
import { ticks } from '../../../gateway/pacing/clock';
import type { Flow } from '../flow';
import { kindOf, type Fate } from '../job';
import { KeyRow } from './keyRow';
import type { Claim, Ended, Key, KeyStore, StoreError, UsedKey } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore } from './workflowKeyStore';

/** Growing pauses, in ms, between checks of a key that somebody else is using. */
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** Rows that still have to store the end of a claim, by the key's lane; it is removed once stored. */
const endings = inProcess.map<KeyRow>(Infinity);

/** The end of an item's claim that the store did not record. */
export interface Unrecorded {
	item: number;
	ending: Ended['ending'];
	error: StoreError;
}

/** The keys of one run. */
export class RunKeys {
	readonly store: KeyStore;
	private readonly scope: string;
	private row: KeyRow | undefined;

	/** The claims of the run, by the key's lane. */
	private readonly claimed = new Map<string, string>();

	/** Ends on their way to the store. */
	private readonly ending = new Set<Promise<void>>();

	readonly unrecorded: Unrecorded[] = [];

	/** @param abort ends waits */
	constructor(
		context: IExecuteFunctions,
		private readonly workflow: SelectedWorkflow | undefined,
		private readonly flow: Pick<Flow, 'ask'>,
		private readonly abort: Abort,
	) {
		this.scope = `${context.getWorkflow().id} ${context.getNode().id}`;
		this.store = workflow
			? new WorkflowKeyStore(context, workflow, this.scope)
			: new N8nKeyStore(context.helpers, context.getInstanceId());
	}

	/** A name for the key that is unique across nodes and stores. */
	laneOf({ key, scope = 'key' }: Key): string {
		return `${this.scope} ${this.workflow?.id ?? ''} ${scope} ${key}`;
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
		const claimId = randomUUID();
		const claim = await this.ask('claim', { ...key, claimId });
		if (claim === 'fresh') this.claimed.set(this.laneOf(key), claimId);
		return claim;
	}

	/**
	 * Ends a claim of this run, with the next call or at the end of the run. Not one whose message may
	 * have been sent: its key stays in doubt.
	 */
	end(key: Key, fate: Fate, item: number): void {
		const lane = this.laneOf(key);
		const claimId = this.claimed.get(lane);
		const kind = kindOf(fate);
		if (!this.claimed.delete(lane) || kind === 'unknown' || kind === 'asked') return;
		const ending = kind === 'accepted' ? 'accepted' : 'released';
		const row = this.row!;
		endings.set(lane, row);
		const ended = { ...key, claimId, ending } as const;
		const recorded = row.calls
			.ask({ store: this.store, how: 'end', key: ended })
			.then(() => {})
			.catch((error: StoreError) => void this.unrecorded.push({ item, ending, error }))
			.then(() => {
				endings.delete(lane);
				this.ending.delete(recorded);
			});
		this.ending.add(recorded);
	}

	/** Resolves when the ends of all claims are recorded, or `unrecorded`. */
	async close(): Promise<void> {
		await this.row?.calls.flush();
		await Promise.all(this.ending);
		this.row?.close();
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
