import type { IDataObject, IExecuteFunctions, NodeApiError } from 'n8n-workflow';

import { messageIdOf } from '../../gateway/endpoints/messages';
import { toNodeApiError } from '../../gateway/errors';
import type { NotAccepted, Outcome } from '../../gateway/outcome';
import { ownedBy } from '../../gateway/node';
import { ticks, type Abort } from '../../gateway/pacing/time';
import { Lanes } from '../../gateway/pacing/queues';
import { meanOf } from '../../gateway/pacing/pace';
import { withRetries } from '../../gateway/pacing/retry';
import type { GatewayRequest } from '../../gateway/request';
import { withHint } from '../../text/quote';
import { adviceFor } from '../form';
import type { ItemRequest, Operation } from '../operation';
import type { AccountInUse } from './accounts';
import { DoNotContactLists } from './doNotContact';
import { notRepeated, notSent, skipped } from './explain';
import { Flow } from './flow';
import { failed, kindOf, type Failed, type Fate, type Job, type NotSent, type Result } from './job';
import type { Claim, UsedKey } from './keys/keyStore';
import { RunKeys } from './keys/runKeys';
import { entryOf } from './maps';
import type { Report } from './report';
import type { WorkflowError } from './subWorkflow';

/** Shared by all executions: one may be sending what another one is asked to send. */
const lanes = new Lanes();

let runs = 0;

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
	readonly flow: Flow;
	readonly keys: RunKeys;
	private readonly doNotContact: DoNotContactLists;
	private readonly abort: Abort;
	private readonly id = ++runs;
	private readonly begunAt = ticks();
	private takenOver: Promise<void> | undefined;
	private readonly shared = new Map<AccountInUse, Map<string, SharedRequest>>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly report: Report,
	) {
		this.abort = report.abort;
		this.flow = new Flow(operation.idempotent);
		this.keys = new RunKeys(context, this.flow, this.abort);
		this.doNotContact = new DoNotContactLists(context, this.flow, this.abort);
	}

	/** Takes its turn among the items with the same number or key. Never rejects. */
	async go(job: Job): Promise<Fate> {
		if (!job.preview) this.flow.begin(job);
		const { key, request } = job;
		const { recipient } = request;
		const names = [
			...(recipient ? [`${this.id} to ${recipient}`] : []),
			...(key ? [this.keys.laneOf(key)] : []),
		];
		return await lanes.run(names, async () => await this.pass(job), this.abort.stopped);
	}

	private async pass(job: Job): Promise<Fate> {
		if (this.abort.isStopped) return 'notStarted';
		try {
			const fate =
				(job.preview ? undefined : await this.triedBefore(job)) ??
				this.withheldNow(job) ?? // no key is claimed for a message that may not leave now
				(await this.usedBefore(job)) ??
				(await this.doNotContact.ask(job)) ??
				(await this.askForKey('claim', job));
			return fate ? this.settle(job, fate) : await this.send(job);
		} catch (error) {
			return this.settle(job, this.report.refusal(job, error));
		}
	}

	private async triedBefore(job: Job): Promise<Fate | undefined> {
		const known = (await this.sentBefore(job)) ?? this.forgotten(job);
		return known ?? (await this.retriedElsewhere(job));
	}

	/** By an earlier try of the same run. */
	private async sentBefore(job: Job): Promise<Fate | undefined> {
		const { journal } = this.report;
		const name = job.key && this.keys.laneOf(job.key);
		const before = journal?.read(job.index, job.request, name);
		if (before === 'keyKnows') return await this.askForKey('read', job);
		if (before !== 'changed') return before;
		return this.failed(job, job.item.invalid(...notRepeated.changed), 'refused', false);
	}

	/** n8n retries a run and has no record of what it sent: only a key that is still the same can tell. */
	private forgotten(job: Job): Fate | undefined {
		const { journal, hasLastingKey } = this.report;
		const { uncertainty } = this.operation;
		const isKnown = hasLastingKey && job.key !== undefined;
		const isInDoubt = journal?.isForgotten && !isKnown;
		if (!isInDoubt || !uncertainty) return undefined;
		const why = notRepeated[journal.isOfNewer ? 'newer' : 'forgotten'](uncertainty);
		return this.failed(job, job.item.invalid(...why), 'unknown');
	}

	/** n8n can retry a failed execution any number of times, but only one retry may go on with it. */
	private async retriedElsewhere(job: Job): Promise<undefined> {
		await (this.takenOver ??= this.takeOver(job));
	}

	/** @throws NodeOperationError when another execution has gone on with this run, or that is not known */
	private async takeOver({ account }: Job): Promise<void> {
		const { context, keys } = this;
		const { journal } = this.report;
		if (journal?.inherited === undefined) return;
		const node = ownedBy(context.getNode());
		const { deduplicationWorkflow: workflow } = account.rules;
		const key = { key: `n8n retry of ${journal.inherited}`, recipient: '', workflow };
		await lanes.run([keys.laneOf(key)], async () => {
			if (journal.inherited === undefined) return; // a parallel call of the tool was first
			const claim = await keys.claim(key).catch((error: WorkflowError) => {
				throw node.invalid(...notSent.notClaimed(error, keys.storeOf(key)));
			});
			if (claim !== 'fresh') throw node.invalid(...notRepeated.retriedBefore);
			journal.inherit();
		});
	}

	private withheldNow(job: Job): Fate | undefined {
		const due = dueNow(job);
		return 'kind' in due ? due : undefined;
	}

	/** What was sent before needs no permission, and without permission the key stays free. */
	private async usedBefore(job: Job): Promise<Fate | undefined> {
		return this.doNotContact.hasList(job) ? await this.askForKey('read', job) : undefined;
	}

	private async askForKey(how: 'read' | 'claim', job: Job): Promise<Fate | undefined> {
		const { key } = job;
		const { keys } = this;
		if (!key) return undefined;
		const claim = await keys[job.preview ? 'read' : how](key).catch((error: WorkflowError) => {
			throw job.item.invalid(...notSent.notClaimed(error, keys.storeOf(key)));
		});
		if (job.preview) Object.assign(job.preview, { deduplication: deduplicationOf(claim) });
		return claim === 'fresh' ? undefined : this.known(job, claim);
	}

	/** The result of a message whose key was used before. One in doubt does not stop the others. */
	private known(job: Job, claim: UsedKey): Result {
		const { item, request } = job;
		const { key: entered = '' } = request.deduplication ?? {};
		if (claim === 'accepted') return skipped.duplicate(entered);
		const key = item.quote(entered);
		if (claim === 'elsewhere') {
			return this.failed(job, item.invalid(...notSent.elsewhere(key)), 'refused');
		}
		const { check } = this.operation.uncertainty ?? {};
		const inDoubt = item.invalid(...notSent.unanswered(key, check));
		return this.failed(job, inDoubt, 'unknown', false);
	}

	/** Settles before it gives its place back: a failure stops the run before the next one starts. */
	private async send(job: Job): Promise<Fate> {
		const { flow, operation } = this;
		if (job.preview) return this.settle(job, this.pretend(job, job.preview));
		if (operation.isShared) return await this.sendShared(job);
		return await flow.inPlace(job, async () => this.settle(job, await this.sendAlone(job)));
	}

	/** In a dry run, stops where the request would leave, and counts it as accepted. */
	private pretend(job: Job, preview: IDataObject): Fate {
		const leaving = dueNow(job);
		if ('kind' in leaving) return leaving;
		Object.assign(preview, leaving.preview);
		return { kind: 'accepted', output: [] };
	}

	private async sendAlone(job: Job): Promise<Fate> {
		let leaving: ItemRequest | undefined;
		let late: Result | undefined;
		try {
			const outcome = await this.attempts(job, async () => {
				const due = await this.dueAgain(job);
				if (due === 'notStarted') return undefined;
				if (!('kind' in due)) return (leaving = due);
				late = due;
				return undefined;
			});
			if (late && outcome?.kind !== 'unknown') return late;
			return outcome ? this.resultOf(job, outcome, leaving) : 'notStarted';
		} catch (error) {
			return this.failed(job, error, leaving ? 'unknown' : 'refused');
		}
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
		const outcome = await this.flow.inPlace(asking, async () => await this.attempts(asking));
		return new Map(jobs.map((job) => [job, outcome && this.resultOf(job, outcome)]));
	}

	private sharedWith({ account, request: { method, path, query } }: Job): SharedRequest {
		const ofAccount = entryOf(this.shared, account, () => new Map<string, SharedRequest>());
		return entryOf(ofAccount, JSON.stringify([method, path, query]), () => ({ jobs: [] }));
	}

	/** What may leave at its turn, or why it may not any more: an earlier attempt may have arrived. */
	private async dueAgain(job: Job): Promise<ItemRequest | Fate> {
		try {
			return (await this.doNotContact.askAgain(job)) ?? dueNow(job);
		} catch (error) {
			return this.failed(job, error, 'refused');
		}
	}

	/** Repeats what was refused for now. Undefined when no attempt was made. */
	private async attempts(
		job: Job,
		takeNow: () => Promise<ItemRequest | undefined> = async () => job.request,
	): Promise<Outcome | undefined> {
		const { client, limiterFor, pace, rules } = job.account;
		const { flow, abort } = this;
		const { journal } = this.report;
		const { idempotent } = this.operation;
		const step = async (one: GatewayRequest) =>
			await client.attempt(one, rules.timeoutMs, idempotent);
		const attempt = async () => {
			const leaving = await takeNow();
			if (!leaving) return undefined;
			journal?.claim(job.index);
			return client.shown(await (leaving.steps?.(step) ?? step(leaving)));
		};
		const { recipient, path, pause } = job.request;
		return await withRetries(attempt, {
			idempotent,
			maxRetries: rules.maxRetries,
			limiter: limiterFor(path),
			note: (outcome) => flow.note(job, outcome),
			recipient,
			most: rules.requestsPerSecond,
			atOnce: rules.maxConcurrency,
			pace: pause && (async (task) => await pace.run(task, pause, abort)),
			abort,
		});
	}

	/** What the outcome of a request, its own or a shared one, means to a job. */
	private resultOf(job: Job, answered: Outcome, request = job.request): Result {
		const stopped = asStopped(answered);
		const outcome = request.judgeItem?.(stopped) ?? stopped;
		if (request.question && outcome.kind !== 'refused' && !this.abort.isStopped) {
			const { endOf, ...asking } = request.question;
			const sent = this.describeSent(job, outcome);
			const question = { ...asking, until: endOf(Date.now()), sent };
			return { kind: 'asked', output: [{ sent }], question };
		}
		if (outcome.kind === 'accepted') {
			const output = [request.output(outcome.body)].flat();
			return { kind: 'accepted', output, messageId: messageIdOf(outcome.body) };
		}
		return this.failed(job, this.explain(job, outcome), outcome.kind);
	}

	private explain({ index, account, request }: Job, outcome: NotAccepted): NodeApiError {
		const { context, operation } = this;
		return toNodeApiError(context.getNode(), account.client, outcome, {
			itemIndex: index,
			request,
			uncertainty: operation.uncertainty,
			advice: adviceFor(operation),
			inPause: '. After that, go on with what was not accepted.',
		});
	}

	/** What became of a question's message; one without an answer may have arrived. */
	private describeSent(job: Job, outcome: Exclude<Outcome, { kind: 'refused' }>): IDataObject {
		const { kind } = outcome;
		const body = kind === 'accepted' ? outcome.body : undefined;
		const sent = { ...[job.request.output(body)].flat()[0], ...job.testMode, outcome: kind };
		if (kind === 'accepted') return sent;
		return { ...sent, hint: withHint(this.explain(job, outcome)) };
	}

	private failed({ index }: Job, cause: unknown, kind: Failed['kind'], endsRun?: boolean): Failed {
		return failed(this.context.getNode(), index, cause, kind, endsRun);
	}

	/** Ends the claim of the key, and records what became of the item. */
	private settle(job: Job, fate: Fate): Fate {
		const { keys, report } = this;
		const { key, index, preview, request } = job;
		const { pause } = request;
		if (key && preview) keys.show(key, fate);
		else if (key) keys.end(key, fate, index);
		if (pause?.most && ['accepted', 'unknown'].includes(kindOf(fate))) {
			report.pacedMs = job.preview ? report.pacedMs + meanOf(pause) : ticks() - this.begunAt;
		}
		return report.record(job, fate);
	}
}

/** The request as it may leave now, or that it may not. @throws when it may leave no more */
function dueNow({ request }: Job): ItemRequest | NotSent {
	const now = request.dueAt?.(Date.now()) ?? request;
	return 'withheld' in now ? skipped.outsideHours(now.withheld) : now;
}

/** How a dry run shows the state of a key; `elsewhere` is shown by the item's explanation. */
const deduplicationOf = (claim: Claim): string | undefined =>
	({ fresh: 'fresh', accepted: 'skipped', unanswered: 'inDoubt' })[claim as string];

/** Explains a request that n8n cancelled, by Stop or a time limit, as that: not as the service's fault. */
function asStopped(outcome: Outcome): Outcome {
	if (outcome.kind === 'accepted' || outcome.reason.text !== 'ERR_CANCELED') return outcome;
	const left = outcome.kind === 'unknown' ? 'the service answered' : 'the request left';
	const explanation = { message: `The execution was stopped before ${left}` };
	return { ...outcome, reason: { ...outcome.reason, explanation } };
}
