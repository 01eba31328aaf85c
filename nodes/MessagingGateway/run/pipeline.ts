import { randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../gateway/client';
import { ownerOfNode } from '../../gateway/node';
import { Lanes } from '../../gateway/pacing/queues';
import { personOf } from '../../text/phoneNumber';
import { notRepeated, notSent, notSentFor } from './explain';
import { notStarted, type Fate, type Job } from './job';
import type { Journal } from './journal';
import type { Claim, Key } from './keys/keyStore';
import type { Report } from './report';
import type { Run } from './run';
import { notTried, requestDueNow, sendItem, sendShared } from './send';
import type { WorkflowError } from './subWorkflow';

/** The lanes of all executions: one execution may be sending what another one is asked to send. */
const sendLanes = new Lanes();

/** The item's result, or undefined to continue with the next check. */
type CheckResult = Fate | undefined | Promise<Fate | undefined>;

/** The checks in their order. Each returns a result to stop at, or undefined to continue. */
const checks: Array<(job: Job, pipeline: ItemPipeline) => CheckResult> = [
	checkEarlierTry,
	checkTakeover,
	checkOutage,
	checkTime,
	checkPermission,
	claimKey,
];

/** Takes one item after another through the checks and sends it. Only `settle` ends the claim of a key. */
export class ItemPipeline {
	/** Resolves once this run may go on with that of an earlier execution; all items share it. */
	takeover: Promise<undefined> | undefined;
	private readonly id = randomUUID();

	constructor(
		readonly run: Run,
		private readonly report: Report,
	) {}

	/**
	 * Takes over the earlier run, even if this one had nothing to send. Call at the end of a run that continues
	 * on fail: other runs may follow, as in a loop, and know by this that no record is lost. If another retry
	 * was first, or that is not known, they send nothing.
	 */
	async takeOverAtEnd(accountOf: (index: number) => Promise<Client>): Promise<void> {
		const { journal } = this.run;
		if (journal?.inherited === undefined || journal.isForgotten || this.report.isDryRun) return;
		this.takeover ??= accountOf(0).then(
			async (account) => await takeOverRun(account, journal, this.run),
		);
		await this.takeover.catch(() => {});
	}

	/** Checks and sends an item in its turn among those with the same number or key. Never rejects. */
	async process(job: Job): Promise<Fate> {
		const { run } = this;
		const { key, item, preview } = job;
		if (!preview) run.flow.begin(job);
		const { recipient } = job.request.message ?? {};
		const names: string[] = [];
		if (recipient && item.total > 1) names.push(`${this.id} to ${personOf(recipient)}`);
		if (key) names.push(run.keys.laneOf(key));
		if (job.request.isLarge) names.push(`${this.id} large`);
		const ofCall = run.journal?.laneOf(job.request);
		if (ofCall) names.push(ofCall);
		if (names.length === 0) return await this.checkAndSend(job);
		return await sendLanes.run(names, async () => await this.checkAndSend(job), run.abort.stopped);
	}

	private async checkAndSend(job: Job): Promise<Fate> {
		if (this.run.abort.isStopped) return notStarted;
		try {
			for (const check of checks) {
				const checked = check(job, this);
				const fate = checked instanceof Promise ? await checked : checked;
				if (fate) return this.settle(job, fate);
			}
			return await this.sendOrPreview(job);
		} catch (error) {
			return this.settle(job, this.report.toRefusal(job, error));
		}
	}

	/** Sends an item and settles it in its place, so that a failure stops the run before the next one starts. */
	private async sendOrPreview(job: Job): Promise<Fate> {
		const { run } = this;
		const { preview, shared } = job;
		if (preview) return this.settle(job, previewSend(job, preview));
		if (!shared) {
			return await run.flow.inPlace(async () => this.settle(job, await sendItem(job, run)));
		}
		const fates = await (shared.fates ??= sendShared(job, shared.jobs, run));
		return this.settle(job, (!run.abort.isStopped && fates.get(job)) || notStarted);
	}

	/** Ends the claim of the key, and records what became of the item. */
	private settle(job: Job, fate: Fate): Fate {
		const { report, run } = this;
		const { key, preview } = job;
		if (key && preview) run.keys.show(key, fate);
		else if (key) run.keys.end(key, fate);
		return report.record(job, fate);
	}
}

/** Stops at a message that an earlier try of the same run has sent, or may have. */
function checkEarlierTry(job: Job, { run }: ItemPipeline): CheckResult {
	const { journal } = run;
	if (!journal || job.preview) return undefined;
	const before = journal.read(job.index, job.request, job.key && run.keys.laneOf(job.key));
	if (before === 'keyKnows') return job.key && resultByKey(job.key, 'read', job, run);
	if (before !== 'changed') return before;
	return run.failed(job.index, job.item.invalid(...notRepeated.changed), 'refused', false);
}

/**
 * Stops a retry that must not go on with its execution. n8n can retry a failed execution any number of
 * times, but only one retry may go on with it. If there is no record of what the run sent, only a key that
 * is still the same can tell.
 */
function checkTakeover(job: Job, pipeline: ItemPipeline): CheckResult {
	const { run } = pipeline;
	const { journal } = run;
	if (!journal || job.preview) return undefined;
	if (journal.isForgotten && !(job.key && run.hasLastingKey)) {
		const why = notRepeated.forgotten(journal.uncertainty);
		return run.failed(job.index, job.item.invalid(...why), 'unknown');
	}
	if (journal.inherited !== undefined) pipeline.takeover ??= takeOverRun(job.account, journal, run);
	return pipeline.takeover;
}

/** Makes this execution go on with the run. @throws NodeOperationError when another one has, or may have */
async function takeOverRun(
	account: Client,
	journal: Journal,
	{ keys, node }: Run,
): Promise<undefined> {
	const { deduplicationWorkflowId: workflow } = account;
	const key = { key: `n8n retry of ${journal.inherited}`, recipient: '', workflow };
	await sendLanes.run([keys.laneOf(key)], async () => {
		if (journal.inherited === undefined) return; // a parallel call of the tool was first
		const claim = await keys.claim(key).catch((error: WorkflowError) => {
			throw ownerOfNode(node).invalid(...notRepeated.notTakenOver(error));
		});
		if (claim !== 'fresh') throw ownerOfNode(node).invalid(...notRepeated.retriedBefore);
		journal.inherit();
	});
}

/** Stops at a message that would be sent into an outage, before a key is claimed for it. */
function checkOutage(job: Job, { run }: ItemPipeline): CheckResult {
	return run.operation.idempotent || job.preview ? undefined : notTried(job, run);
}

/** Stops at a message that may not leave now, before a key is claimed for it. */
function checkTime({ request }: Job): CheckResult {
	const due = requestDueNow(request);
	return 'kind' in due ? due : undefined;
}

/**
 * Stops at a message without permission, before its key is claimed: so the key stays free. One whose key was
 * used needs none.
 */
async function checkPermission(job: Job, { run }: ItemPipeline): Promise<Fate | undefined> {
	if (job.list === undefined) return undefined;
	const used = job.key && (await resultByKey(job.key, 'read', job, run));
	return used ?? (await run.lists.ask(job));
}

function claimKey(job: Job, { run }: ItemPipeline): CheckResult {
	return job.key && resultByKey(job.key, job.preview ? 'read' : 'claim', job, run);
}

/** Returns the result of a message whose key was used before. A key in doubt does not stop the other items. */
async function resultByKey(
	key: Key,
	how: 'read' | 'claim',
	job: Job,
	run: Run,
): Promise<Fate | undefined> {
	const { index, item, preview, request } = job;
	const asked = job.isKeyUsed ? Promise.resolve('accepted' as const) : run.keys[how](key);
	const claim = await asked.catch((error: WorkflowError) => {
		throw item.invalid(...notSent.notClaimed(error));
	});
	if (preview) Object.assign(preview, { deduplication: shownKeyState(claim) });
	if (claim === 'fresh') return undefined;
	const { key: entered = '' } = request.message?.deduplication ?? {};
	if (claim === 'accepted') {
		const more = { deduplicationKey: entered };
		return notSentFor(request, 'duplicate', 'A message with this key was accepted before', more);
	}
	const shown = item.quote(entered);
	if (claim === 'elsewhere') {
		return run.failed(index, item.invalid(...notSent.elsewhere(shown)), 'refused');
	}
	const { check } = run.journal!.uncertainty; // what has a key is not repeated
	return run.failed(index, item.invalid(...notSent.unanswered(shown, check)), 'unknown', false);
}

/** Ends an item of a dry run where its request would leave, and counts it as accepted. */
function previewSend({ request }: Job, preview: IDataObject): Fate {
	const leaving = requestDueNow(request);
	if ('kind' in leaving) return leaving;
	Object.assign(preview, leaving.message?.preview?.());
	return { kind: 'accepted', output: [] };
}

/** Returns how a dry run shows the state of a key. The item's explanation shows `elsewhere`. */
const shownKeyState = (claim: Claim): string | undefined =>
	({ fresh: 'fresh', accepted: 'skipped', unanswered: 'inDoubt' })[claim as string];
