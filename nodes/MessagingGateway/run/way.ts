import type { IExecuteFunctions } from 'n8n-workflow';

import { ownedBy } from '../../gateway/owner';
import type { Abort } from '../../gateway/pacing/abort';
import { ticks } from '../../gateway/pacing/clock';
import { Lanes } from '../../gateway/pacing/lanes';
import { meanOf } from '../../gateway/pacing/pace';
import type { Operation } from '../operation';
import type { AccountInUse } from './accounts';
import type { DoNotContactLists } from './doNotContact';
import { deduplicationOf } from './dryRun';
import { notRepeated, notSent, skipped } from './explain';
import type { Flow } from './flow';
import { failed, kindOf, type Failed, type Fate, type Job, type Result } from './job';
import type { Journal } from './journal';
import type { DryRunKeys } from './keys/dryRunKeys';
import { toKey, type UsedKey } from './keys/keyStore';
import type { RunKeys } from './keys/runKeys';
import type { Report } from './report';
import type { Sender } from './sender';
import type { WorkflowError } from './subWorkflow';

/** Shared by all executions: one may be sending what another one is asked to send. */
const lanes = new Lanes();

let runs = 0;

/** What the stations of a run work with. */
interface Stations {
	report: Report;
	/** Only of an operation that must not be repeated. */
	journal: Journal | undefined;
	keys: RunKeys;
	/** Whether the keys are the same in a retry. */
	hasLastingKeys: boolean;
	dryRunKeys: DryRunKeys;
	doNotContact: DoNotContactLists;
	flow: Flow;
	sender: Sender;
}

/** A request of several items. */
interface SharedRequest {
	jobs: Job[];
	/** Once the first of them has gone. */
	fates?: Promise<Map<Job, Fate | undefined>>;
}

/**
 * An item's way from its turn to what became of it: a row of stations, each of which returns that, or
 * nothing to go on. Only `settle` ends the claim of a key.
 */
export class Way {
	private readonly id = ++runs;
	private readonly begunAt = ticks();
	private readonly abort: Abort;
	private takenOver: Promise<void> | undefined;
	private readonly shared = new Map<AccountInUse, Map<string, SharedRequest>>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly at: Stations,
	) {
		this.abort = at.report.abort;
	}

	/** Takes its turn among the items with the same number or key. Never rejects. */
	async go(job: Job): Promise<Fate> {
		if (!job.preview) this.at.flow.begin(job);
		const { recipient } = job.request;
		const key = toKey(job);
		const names = [
			...(recipient ? [`${this.id} to ${recipient}`] : []),
			...(key ? [this.at.keys.laneOf(key)] : []),
		];
		return await lanes.run(names, async () => await this.pass(job), this.abort.stopped);
	}

	private async pass(job: Job): Promise<Fate> {
		if (this.abort.isStopped) return 'notStarted';
		try {
			return (
				(await this.sentBefore(job)) ??
				this.forgotten(job) ??
				(await this.retriedElsewhere(job)) ??
				this.notNow(job) ??
				(await this.usedBefore(job)) ??
				(await this.blocked(job)) ??
				(await this.used(job)) ??
				(await this.send(job))
			);
		} catch (error) {
			const before = job.preview ? undefined : this.at.journal?.readUnknown(job.index);
			return this.settle(job, before ?? this.failed(job, error, 'refused'));
		}
	}

	/** By an earlier try of the same run. */
	private async sentBefore(job: Job): Promise<Fate | undefined> {
		const { journal, keys } = this.at;
		const key = toKey(job);
		const name = key && keys.laneOf(key);
		const before = job.preview ? undefined : journal?.read(job.index, job.request, name);
		if (before === 'keyKnows') return await this.askForKey('read', job);
		if (before !== 'changed') return before && this.settle(job, before);
		const changed = job.item.invalid(...notRepeated.changed);
		return this.settle(job, this.failed(job, changed, 'refused', false));
	}

	/** n8n retries a run and has no record of what it sent: only a key that is still the same can tell. */
	private forgotten(job: Job): Fate | undefined {
		const { uncertainty } = this.operation;
		const { journal, hasLastingKeys } = this.at;
		const isKnown = hasLastingKeys && toKey(job) !== undefined;
		const isInDoubt = journal?.isForgotten && !job.preview && !isKnown;
		if (!isInDoubt || !uncertainty) return undefined;
		const inDoubt = job.item.invalid(...notRepeated.forgotten(uncertainty));
		return this.settle(job, this.failed(job, inDoubt, 'unknown'));
	}

	/** n8n can retry a failed execution any number of times, but only one retry may go on with it. */
	private async retriedElsewhere(job: Job): Promise<undefined> {
		if (!job.preview) await (this.takenOver ??= this.takeOver());
	}

	/** @throws NodeOperationError when another execution has gone on with this run, or that is not known */
	private async takeOver(): Promise<void> {
		const { journal, keys } = this.at;
		if (journal?.inherited === undefined) return;
		const node = ownedBy(this.context.getNode());
		const key = { key: `n8n retry of ${journal.inherited}`, recipient: '' };
		await lanes.run([keys.laneOf(key)], async () => {
			if (journal.inherited === undefined) return; // a parallel call of the tool was first
			const claim = await keys.claim(key).catch((error: WorkflowError) => {
				throw node.invalid(...notSent.notClaimed(error, keys.store));
			});
			if (claim !== 'fresh') throw node.invalid(...notRepeated.retriedBefore);
			journal.inherit();
		});
	}

	/** No key is claimed for a message that may not leave now. */
	private notNow(job: Job): Fate | undefined {
		const due = this.at.sender.dueNow(job);
		return 'kind' in due ? this.settle(job, due) : undefined;
	}

	/** What was sent before needs no permission, and without permission the key stays free. */
	private async usedBefore(job: Job): Promise<Fate | undefined> {
		return this.at.doNotContact.listFor(job) && (await this.askForKey('read', job));
	}

	private async used(job: Job): Promise<Fate | undefined> {
		return await this.askForKey('claim', job);
	}

	private async askForKey(how: 'read' | 'claim', job: Job): Promise<Fate | undefined> {
		const key = toKey(job);
		if (!key) return undefined;
		const { keys, dryRunKeys } = this.at;
		const asked = job.preview ? dryRunKeys : keys;
		const claim = await asked[how](key).catch((error: WorkflowError) => {
			throw job.item.invalid(...notSent.notClaimed(error, keys.store));
		});
		if (job.preview) Object.assign(job.preview, { deduplication: deduplicationOf(claim) });
		return claim === 'fresh' ? undefined : this.settle(job, this.known(job, claim));
	}

	/** The result of a message whose key was used before. One in doubt does not stop the others. */
	private known(job: Job, claim: UsedKey): Result {
		const { item, request } = job;
		const { deduplicationKey = '' } = request;
		if (claim === 'accepted') return { kind: 'skipped', output: [skipped(deduplicationKey)] };
		const key = item.quote(deduplicationKey);
		if (claim === 'elsewhere') {
			return this.failed(job, item.invalid(...notSent.elsewhere(key)), 'refused');
		}
		const { check } = this.operation.uncertainty ?? {};
		const inDoubt = item.invalid(...notSent.unanswered(key, check));
		return this.failed(job, inDoubt, 'unknown', false);
	}

	/** Whether the number must not be contacted. */
	private async blocked(job: Job): Promise<Fate | undefined> {
		const fate = await this.at.doNotContact.ask(job);
		return fate && this.settle(job, fate);
	}

	/** Settles before it gives its place back: a failure stops the run before the next one starts. */
	private async send(job: Job): Promise<Fate> {
		const { flow, sender } = this.at;
		if (job.preview) return this.settle(job, sender.pretend(job));
		if (this.operation.isShared) return await this.sendShared(job);
		return await flow.inPlace(job, async () => this.settle(job, await sender.send(job)));
	}

	/** Call with every item of an operation that shares requests, before the first of them goes. */
	expect(job: Job): void {
		this.sharedWith(job).jobs.push(job);
	}

	/** The first of the items with the same question sends it; all of them take its answer. */
	private async sendShared(job: Job): Promise<Fate> {
		const shared = this.sharedWith(job);
		const fates = await (shared.fates ??= this.answerFor(shared.jobs, job));
		return this.settle(job, (!this.abort.isStopped && fates.get(job)) || 'notStarted');
	}

	/** Keeps what the items get from an answer, not the answer, which may have thousands of messages. */
	private async answerFor(jobs: Job[], asking: Job): Promise<Map<Job, Fate | undefined>> {
		const { flow, sender } = this.at;
		const outcome = await flow.inPlace(asking, async () => await sender.attempts(asking));
		return new Map(jobs.map((job) => [job, outcome && sender.resultOf(job, outcome)]));
	}

	private sharedWith({ account, request: { method, path, query } }: Job): SharedRequest {
		const ofAccount = this.shared.get(account) ?? new Map<string, SharedRequest>();
		this.shared.set(account, ofAccount);
		const asked = JSON.stringify([method, path, query]);
		const shared = ofAccount.get(asked) ?? { jobs: [] };
		ofAccount.set(asked, shared);
		return shared;
	}

	private failed({ index }: Job, cause: unknown, kind: Failed['kind'], endsRun?: boolean): Failed {
		return failed(this.context.getNode(), index, cause, kind, endsRun);
	}

	/** Ends the claim of the key, and records what became of the item. */
	private settle(job: Job, fate: Fate): Fate {
		const key = toKey(job);
		if (key) (job.preview ? this.at.dryRunKeys : this.at.keys).end(key, fate, job.index);
		const { pause } = job.request;
		if (pause?.most && ['accepted', 'unknown'].includes(kindOf(fate))) {
			const { report } = this.at;
			report.pacedMs = job.preview ? report.pacedMs + meanOf(pause) : ticks() - this.begunAt;
		}
		return this.at.report.record(job, fate);
	}
}
