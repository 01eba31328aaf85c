import { randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../gateway/client';
import { ownedBy } from '../../gateway/node';
import { Lanes } from '../../gateway/pacing/queues';
import { notRepeated, notSent, notSentFor } from './explain';
import { notStarted, type Fate, type Job } from './job';
import type { Journal } from './journal';
import type { Claim, Key } from './keys/keyStore';
import type { Report } from './report';
import type { Run } from './run';
import { dueNow, sendAlone, sendShared } from './send';
import type { WorkflowError } from './subWorkflow';

/** Shared by all executions: one may be sending what another one is asked to send. */
const lanes = new Lanes();

/** What became of an item, or nothing: then it goes on. */
type Passed = Fate | undefined | Promise<Fate | undefined>;

/** In their order. Each says of which messages it is the end. */
const stations: Array<(job: Job, way: Way) => Passed> = [
	sentBefore,
	takenOver,
	withheld,
	usedBefore,
	notAllowed,
	claimed,
];

/** An item's way from its turn to what became of it. Only `settle` ends the claim of a key. */
export class Way {
	/** That this run goes on with the one of an earlier execution. */
	takingOver: Promise<undefined> | undefined;
	private readonly id = randomUUID();

	constructor(
		readonly run: Run,
		private readonly report: Report,
	) {}

	/**
	 * Call at the end of a run that continues on fail. Others may follow, as in a loop: so a retry that had
	 * nothing to send in this one takes it over all the same, and the others know that no record is lost.
	 * Where another retry was first, or that is not known, they send nothing.
	 */
	async end(accountOf: (index: number) => Promise<Client>): Promise<void> {
		const { journal } = this.run;
		if (journal?.inherited === undefined || journal.isForgotten || this.report.isDryRun) return;
		this.takingOver ??= accountOf(0).then(
			async (account) => await takeOver(account, journal, this.run),
		);
		await this.takingOver.catch(() => {});
	}

	/** Takes its turn among the items with the same number or key. Never rejects. */
	async go(job: Job): Promise<Fate> {
		const { run } = this;
		const { key, item, preview } = job;
		if (!preview) run.flow.begin(job);
		const { recipient } = job.request.message ?? {};
		const names: string[] = [];
		if (recipient && item.total > 1) names.push(`${this.id} to ${recipient}`);
		if (key) names.push(run.keys.laneOf(key));
		if (job.request.isLarge) names.push(`${this.id} large`);
		const ofCall = run.journal?.laneOf(job.request);
		if (ofCall) names.push(ofCall);
		if (names.length === 0) return await this.pass(job);
		return await lanes.run(names, async () => await this.pass(job), run.abort.stopped);
	}

	private async pass(job: Job): Promise<Fate> {
		if (this.run.abort.isStopped) return notStarted;
		try {
			for (const station of stations) {
				const passed = station(job, this);
				const fate = passed instanceof Promise ? await passed : passed;
				if (fate) return this.settle(job, fate);
			}
			return await this.send(job);
		} catch (error) {
			return this.settle(job, this.report.refusal(job, error));
		}
	}

	/** Settles as soon as it is known, while it has its place: a failure stops the run before the next one starts. */
	private async send(job: Job): Promise<Fate> {
		const { run } = this;
		const { preview, shared } = job;
		if (preview) return this.settle(job, pretend(job, preview));
		if (!shared) {
			return await run.flow.inPlace(async () => this.settle(job, await sendAlone(job, run)));
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

/** By an earlier try of the same run. */
function sentBefore(job: Job, { run }: Way): Passed {
	const { journal } = run;
	if (!journal || job.preview) return undefined;
	const before = journal.read(job.index, job.request, job.key && run.keys.laneOf(job.key));
	if (before === 'keyKnows') return job.key && askFor(job.key, 'read', job, run);
	if (before !== 'changed') return before;
	return run.failed(job.index, job.item.invalid(...notRepeated.changed), 'refused', false);
}

/**
 * n8n can retry a failed execution any number of times, but only one retry may go on with it. Where it
 * has no record of what the run sent, only a key that is still the same can tell.
 */
function takenOver(job: Job, way: Way): Passed {
	const { run } = way;
	const { journal } = run;
	if (!journal || job.preview) return undefined;
	if (journal.isForgotten && !(job.key && run.hasLastingKey)) {
		const why = notRepeated.forgotten(journal.uncertainty);
		return run.failed(job.index, job.item.invalid(...why), 'unknown');
	}
	if (journal.inherited !== undefined) way.takingOver ??= takeOver(job.account, journal, run);
	return way.takingOver;
}

/** @throws NodeOperationError when another execution has gone on with this run, or that is not known */
async function takeOver(
	account: Client,
	journal: Journal,
	{ keys, node }: Run,
): Promise<undefined> {
	const { deduplicationWorkflowId: workflow } = account;
	const key = { key: `n8n retry of ${journal.inherited}`, recipient: '', workflow };
	await lanes.run([keys.laneOf(key)], async () => {
		if (journal.inherited === undefined) return; // a parallel call of the tool was first
		const claim = await keys.claim(key).catch((error: WorkflowError) => {
			throw ownedBy(node).invalid(...notRepeated.notTakenOver(error));
		});
		if (claim !== 'fresh') throw ownedBy(node).invalid(...notRepeated.retriedBefore);
		journal.inherit();
	});
}

/** No key is claimed for a message that may not leave now. */
function withheld({ request }: Job): Passed {
	const due = request.message?.requestAt && dueNow(request);
	return due && 'kind' in due ? due : undefined;
}

/** What was sent before needs no permission. */
function usedBefore(job: Job, { run }: Way): Passed {
	return job.list === undefined ? undefined : job.key && askFor(job.key, 'read', job, run);
}

/** Without permission, the key stays free. */
function notAllowed(job: Job, { run }: Way): Passed {
	return job.list === undefined ? undefined : run.lists.ask(job);
}

function claimed(job: Job, { run }: Way): Passed {
	return job.key && askFor(job.key, job.preview ? 'read' : 'claim', job, run);
}

/** What became of a message whose key was used before. One in doubt does not stop the others. */
async function askFor(
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
	if (preview) Object.assign(preview, { deduplication: deduplicationOf(claim) });
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

/** In a dry run, stops where the request would leave, and counts it as accepted. */
function pretend({ request }: Job, preview: IDataObject): Fate {
	const leaving = dueNow(request);
	if ('kind' in leaving) return leaving;
	Object.assign(preview, leaving.message?.preview?.());
	return { kind: 'accepted', output: [] };
}

/** How a dry run shows the state of a key; `elsewhere` is shown by the item's explanation. */
const deduplicationOf = (claim: Claim): string | undefined =>
	({ fresh: 'fresh', accepted: 'skipped', unanswered: 'inDoubt' })[claim as string];
