import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { inProcess, entryOf } from '../../../gateway/maps';
import { ticks, type Abort } from '../../../gateway/pacing/time';
import { Calls } from '../../../gateway/pacing/queues';
import type { Flow } from '../flow';
import type { Fate } from '../job';
import type { WorkflowError } from '../subWorkflow';
import type { Ask, Claim, Key, KeyStore, UsedKey } from './keyStore';
import { N8nKeyStore } from './n8nKeyStore';
import { WorkflowKeyStore } from './workflowKeyStore';

/** Growing pauses, in ms, between checks of a key that somebody else is using. */
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** For the store of the run that asks. */
type Errand = Ask & { store: KeyStore };

/** Of a claim that ends, only whether it is recorded counts. */
type Answer = Claim | Claim[] | WorkflowError | undefined;

/** What waits for the next call of a store. Two claims of one key must not overlap. */
type Row = Calls<Errand, Answer>;

export const newRow = (): Row => new Calls(callStore);

/**
 * Of nodes, by workflow and node, the latest 10,000. Shared by all runs of this process: n8n reads a
 * row, changes it and writes it back without a lock, so calls at the same time would lose each other's
 * keys.
 */
const rowsOfNodes = inProcess.map<Row>(10_000);

/** Ends go before claims, and claims before reads. */
async function callStore(errands: Errand[]): Promise<Array<Answer | Promise<Answer>>> {
	// Of the latest caller, whose execution is still under way.
	const { store } = errands.findLast((errand) => !errand.store.givenUp) ?? errands.at(-1)!;
	const only = (...hows: Array<Ask['how']>) => errands.filter(({ how }) => hows.includes(how));
	const [ends, claims, reads] = [only('accept', 'release'), only('claim'), only('read')];
	const { givenUp } = store;

	const withEnds = claims.length > 0 ? [...ends, ...claims] : [];
	const claimed = givenUp ?? (await given(store, withEnds));
	// One claim may be the reason, which must not cost other messages their record: again without it.
	const isTold = withEnds.length > 0 && !givenUp && (Array.isArray(claimed) || store.givenUp);
	const recorded = isTold ? claimed : given(store, ends);
	// Those who are refused do not wait for it. An end that is not recorded reads as unanswered.
	if (!store.givenUp || claims.length + reads.length === 0) await recorded;
	const states = store.givenUp ?? (await given(store, reads));

	const next = (all: Claim[] | WorkflowError) => (Array.isArray(all) ? all.shift() : all);
	return errands.map(({ how }) => {
		if (how === 'claim') return next(claimed);
		return how === 'read' ? next(states) : recorded;
	});
}

/** @returns what the store threw, as all who asked get it */
async function given(store: KeyStore, asks: Ask[]): Promise<Claim[] | WorkflowError> {
	if (asks.length === 0) return [];
	return await store.carryOut(asks).catch((error: WorkflowError) => {
		if (error.isTimeout) store.givenUp = error;
		return error;
	});
}

/** Rows that still have to store the end of a claim, by the key's lane; it is removed once stored. */
const endings = inProcess.map<Row>(Infinity);

/** The keys of one run. */
export class RunKeys {
	private readonly scope: string;

	/** By the workflow that keeps the keys. */
	private readonly places = new Map<string | undefined, { store: KeyStore; row: Row }>();

	/** The claims of the run, by the key's lane. */
	private readonly claimed = new Map<string, string>();

	/** In a dry run, the numbers of messages that would have been sent, by the key's lane. */
	private readonly shown = new Map<string, string>();

	/** Ends on their way to the store. */
	private readonly ending: Array<Promise<unknown>> = [];

	/** @param abort ends waits */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly flow: Pick<Flow, 'ask'>,
		private readonly abort: Abort,
	) {
		this.scope = `${context.getWorkflow().id} ${context.getNode().id}`;
	}

	/** A name for the key that is unique across nodes and stores. */
	laneOf({ key, workflow = '', scope = 'key' }: Key): string {
		return `${this.scope} ${workflow} ${scope} ${key}`;
	}

	/**
	 * What a claim would return. In a dry run, a message of this run that is shown uses up its key.
	 *
	 * @throws WorkflowError what the store throws; then nothing may be sent
	 */
	async read(key: Key): Promise<'fresh' | UsedKey> {
		const to = this.shown.get(this.laneOf(key));
		if (to === undefined) return await this.ask('read', key);
		return to === key.recipient ? 'accepted' : 'elsewhere';
	}

	/**
	 * Which of these keys were used up before, for the same number. Asks each store at once, however many
	 * they are; what it does not say is not known to be.
	 */
	async areUsed(keys: Key[]): Promise<boolean[]> {
		const asked = keys.map(async (key) => {
			const { row, store } = this.placeOf(key);
			return await row.ask({ store, how: 'read', key }).catch(() => undefined);
		});
		for (const { row } of this.places.values()) void row.flush();
		return (await Promise.all(asked)).map((claim) => claim === 'accepted');
	}

	/** @throws WorkflowError likewise */
	async claim(key: Key): Promise<'fresh' | UsedKey> {
		const claimId = randomUUID();
		const claim = await this.ask('claim', { ...key, claimId });
		if (claim === 'fresh') this.claimed.set(this.laneOf(key), claimId);
		return claim;
	}

	/** Call in a dry run with what would have become of a message. */
	show(key: Key, fate: Fate): void {
		if (fate.kind === 'accepted') this.shown.set(this.laneOf(key), key.recipient);
	}

	/**
	 * Ends a claim of this run, with the next call or at the end of the run. Not one whose message may
	 * have been sent: its key stays in doubt, as does one whose end the store does not record.
	 */
	end(key: Key, fate: Fate): void {
		const lane = this.laneOf(key);
		const claimId = this.claimed.get(lane);
		const { kind } = fate;
		if (!this.claimed.delete(lane) || kind === 'unknown' || kind === 'asked') return;
		const ending = kind === 'accepted' ? 'accept' : 'release';
		const { row, store } = this.placeOf(key);
		endings.set(lane, row);
		const recorded = row
			.ask({ store, how: ending, key: { ...key, claimId } })
			.catch(() => {})
			.then(() => endings.delete(lane));
		this.ending.push(recorded);
	}

	/** Resolves when the ends of all claims are recorded, or cannot be. */
	async close(): Promise<void> {
		await Promise.all([...this.places.values()].map(async ({ row }) => await row.flush()));
		await Promise.all(this.ending);
	}

	/** A key that somebody else is using is checked again until there is an answer, or none can come. */
	private async ask(how: 'claim' | 'read', key: Key): Promise<'fresh' | UsedKey> {
		const { row, store } = this.placeOf(key);
		const end = ticks() + (key.timeoutMs ?? 0);
		for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
			const before = endings.get(this.laneOf(key));
			if (before && before !== row) await before.flush(); // in the same row, it goes first
			const claim = (await this.flow.ask(row, { store, how, key })) as Claim;
			if (claim !== 'pending') return claim;
			if (ticks() >= end || !(await this.abort.pause(pauseMs))) return 'unanswered';
		}
	}

	private placeOf({ workflow }: Key) {
		return entryOf(this.places, workflow, () => {
			const { context, scope } = this;
			// A workflow's database keeps executions apart on its own, so no row is shared.
			if (workflow) return { store: new WorkflowKeyStore(context, workflow, scope), row: newRow() };
			const store = new N8nKeyStore(context.helpers, context.getInstanceId());
			return { store, row: entryOf(rowsOfNodes, scope, newRow) };
		});
	}
}
