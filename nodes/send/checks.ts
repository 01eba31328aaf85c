import type { IDataObject } from 'n8n-workflow';

import { asNodeError, ownerOfNode } from '../n8n/errors';
import { BatchQueue } from '../pace/batchQueue';
import { Lanes } from '../pace/lanes';
import type { Client } from '../service/client';
import { entryOf, groupBy } from '../text/collections';
import { personOf } from '../text/phoneNumber';
import { quoteValue } from '../text/quote';
import { notRepeated, notSent, notSentFor } from './explain';
import { failed, notStarted, type Fate, type Job } from './job';
import type { Claim } from './keys/keyStore';
import type { ItemRequest } from './operation';
import type { AccountOf, Run } from './run';
import { SubWorkflow, type WorkflowError } from './subWorkflow';

/** The lanes of all executions: one execution may be sending what another one is asked to send. */
export const sendLanes = new Lanes();

type CheckResult = Fate | undefined | Promise<Fate | undefined>;

/** The checks of what would happen to a message, in a dry run, too. */
const rules = [checkTime, checkPermission];

/** The checks in their order. Each returns a result to stop at, or undefined to continue. */
export const checks = [checkEarlierTry, checkTakeover, checkOutage, ...rules, byKey('claim')];

/** Those of a dry run, which sends nothing: it has no record, and takes no key. */
export const dryRunChecks = [...rules, byKey('lookUp')];

/** Stops at a message that an earlier try of the same run has sent, or may have. */
function checkEarlierTry(job: Job, run: Run): CheckResult {
	const { journal } = run;
	if (!journal) return undefined;
	const before = journal.recall(job.index, job.request, job.key && run.keys.laneOf(job.key));
	if (before === 'keyKnows') return resultByKey('lookUp', job, run);
	if (before !== 'changed') return before;
	return failed('refused', job.item.invalid(...notRepeated.changed(journal.uncertainty)), false);
}

/**
 * Stops a retry that must not go on with its execution. n8n can retry a failed execution any number of
 * times, but only one retry may go on with it. If there is no record of what the run sent, only a key that
 * is still the same can tell.
 */
function checkTakeover(job: Job, run: Run): CheckResult {
	const { journal } = run;
	if (!journal) return undefined;
	if (journal.isForgotten && !(job.key && run.hasLastingKey)) {
		return failed('unknown', job.item.invalid(...notRepeated.forgotten(journal.uncertainty)));
	}
	if (journal.inherited !== undefined) run.takeover ??= takeOverRun(job.account, run);
	return run.takeover;
}

/**
 * Takes over the earlier run, even if this one had nothing to send. Call at the end of a run that continues
 * on fail: other runs may follow, as in a loop, and know by this that no record is lost. If another retry
 * was first, or that is not known, they send nothing.
 */
export async function takeOverAtEnd(run: Run, accountOf: AccountOf): Promise<void> {
	const { journal } = run;
	if (journal?.inherited === undefined || journal.isForgotten) return;
	run.takeover ??= accountOf(0).then(async (account) => await takeOverRun(account, run));
	await run.takeover.catch(() => {});
}

/** Makes this execution go on with the run. @throws NodeOperationError when another one has, or may have */
async function takeOverRun(account: Client, { journal, keys, node }: Run): Promise<undefined> {
	const { deduplicationWorkflowId: workflow } = account;
	const key = { key: `n8n retry of ${journal?.inherited}`, recipient: '', workflow };
	await sendLanes.run([keys.laneOf(key)], async () => {
		if (journal?.inherited === undefined) return; // a parallel call of the tool was first
		const claim = await keys.claim(key).catch((error: WorkflowError) => {
			throw ownerOfNode(node).invalid(...notRepeated.notTakenOver(error, journal.uncertainty));
		});
		if (claim !== 'fresh')
			throw ownerOfNode(node).invalid(...notRepeated.retriedBefore(journal.uncertainty));
		journal.inherit();
	});
}

/** Stops at a message that would be sent into an outage, before a key is claimed for it. */
export function checkOutage({ breaker, item }: Job, run: Run): Fate | undefined {
	const outage = run.abort.isStopped ? undefined : breaker?.outage;
	return outage && failed('notStarted', item.invalid(...notSent[outage]), false);
}

/** Stops at a message that may not leave now, before a key is claimed for it. */
function checkTime({ preview, request }: Job): CheckResult {
	if (preview) preview.timezone = request.message?.zones?.join(', ') || undefined;
	const due = requestDueNow(request);
	return due.kind === 'due' ? undefined : due;
}

/** Returns the request as it may leave now, or that it may not. @throws when it may leave no more */
export function requestDueNow(request: ItemRequest) {
	const due = request.message?.requestAt?.(Date.now()) ?? { kind: 'due' as const, request };
	return due.kind === 'due' ? due : notSentFor(request, due.reason, due.why);
}

/** Returns the request for an attempt, or why it may not leave any more. An earlier attempt may have arrived. */
export async function requestOfAttempt(job: Job, run: Run) {
	try {
		const refusal = job.permissionFrom !== undefined && (await askPermission(job, run));
		return refusal || requestDueNow(job.request);
	} catch (error) {
		return failed('refused', asNodeError(run.node, error, job.index));
	}
}

/**
 * Stops at a message without permission, before its key is claimed: so the key stays free. One whose key was
 * used needs none.
 */
async function checkPermission(job: Job, run: Run): Promise<Fate | undefined> {
	if (job.permissionFrom === undefined) return undefined;
	const used = await resultByKey('lookUp', job, run);
	return used ?? (await askPermission(job, run));
}

/** An answer is valid for so many ms, because a message may wait for minutes before it leaves. */
const answerValidMs = 30_000;

/**
 * Asks the do-not-contact workflow of a message's account, unless its last answer still counts. Returns what
 * becomes of a message that may not leave; undefined if it may.
 *
 * @throws NodeOperationError when the workflow does not answer
 */
async function askPermission(job: Job, run: Run): Promise<Fate | undefined> {
	const { allowedAt, item, permissionFrom: id = '', preview, request } = job;
	const { abort, context, node, permissionQueues } = run;
	const isAgain = allowedAt !== undefined;
	if (isAgain && performance.now() - allowedAt < answerValidMs) return undefined;
	const queue = entryOf(permissionQueues, id, () =>
		permissionQueue(new SubWorkflow(context, id, 'do-not-contact workflow')),
	);
	const { recipient = '', channel, segments } = request.message ?? {};
	const { id: workflowId, name } = context.getWorkflow();
	const question = {
		...{ to: personOf(recipient), channel, segments },
		...(preview && { dryRun: true }),
		...(isAgain && { again: true }),
		...{ workflow: { id: workflowId, name }, node: node.name, execution: context.getExecutionId() },
	};
	const isAllowed = await Promise.race([queue.ask(question), abort.stopped]).catch(
		(error: WorkflowError) => {
			throw item.invalid(...notSent.notAllowedYet(error));
		},
	);
	if (abort.isStopped) return notStarted;
	job.allowedAt = performance.now();
	if (isAllowed) return undefined;
	const explanation = 'The do-not-contact workflow does not allow this message';
	return notSentFor(request, 'doNotContact', explanation);
}

/**
 * Returns a queue that asks a workflow which numbers may be contacted. The workflow is called with one
 * item per message, each to another number, and returns `{ to, allowed }` for each, in any order, where
 * `allowed` is true or false. If the answer for any of them is missing or unusable, all who ask get a
 * WorkflowError.
 */
export function permissionQueue(workflow: SubWorkflow): BatchQueue<IDataObject, boolean> {
	const isAllowed = (to: string, answers: IDataObject[] = []): boolean => {
		const [allowed, ...others] = new Set(answers.map((answer) => answer.allowed));
		const wrong = (what: string) =>
			workflow.toError(
				`it returned ${what} for ${to}`,
				"It has to return one item for each number, with 'to' unchanged and 'allowed' set to true or false.",
			);
		if (answers.length === 0) throw wrong('no answer');
		if (others.length > 0) throw wrong('different answers');
		if (typeof allowed === 'boolean') return allowed;
		throw wrong(`${quoteValue(JSON.stringify(allowed) ?? 'nothing', String)} as 'allowed'`);
	};
	return new BatchQueue(async (questions) => {
		const answers = groupBy(await workflow.call(questions), ({ to }) => String(to));
		return questions.map(({ to }) => isAllowed(String(to), answers.get(String(to))));
	});
}

function byKey(how: 'lookUp' | 'claim') {
	return (job: Job, run: Run): CheckResult => job.key && resultByKey(how, job, run);
}

/** Returns the result of a message whose key was used before. A key in doubt does not stop the other items. */
async function resultByKey(how: 'lookUp' | 'claim', job: Job, run: Run): Promise<Fate | undefined> {
	const { isKeyUsed, item, key, preview, request } = job;
	if (!key) return undefined;
	const asked = isKeyUsed ? Promise.resolve('accepted' as const) : run.keys[how](key);
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
	if (claim === 'elsewhere') return failed('refused', item.invalid(...notSent.elsewhere(shown)));
	const why = notSent.unanswered(shown, run.uncertainty?.check);
	return failed('unknown', item.invalid(...why), false);
}

/** Returns how a dry run shows the state of a key. The item's explanation shows `elsewhere`. */
const shownKeyState = (claim: Claim): string | undefined =>
	({ fresh: 'fresh', accepted: 'skipped', unanswered: 'inDoubt' })[claim as string];
