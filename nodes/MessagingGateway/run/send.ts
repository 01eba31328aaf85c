import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { toNodeApiError } from '../../gateway/errors';
import type { NotAccepted, Outcome } from '../../gateway/outcome';
import { attemptsOf, mergeOutcomes, type RetryPolicy } from '../../gateway/pacing/retry';
import type { GatewayRequest } from '../../gateway/request';
import { withHint } from '../../text/text';
import { hintsFor, type ItemRequest } from '../operation';
import { notSent, notSentFor } from './explain';
import { notStarted, type Fate, type Job, type NotSent } from './job';
import type { Run } from './run';

/** Makes an item's request, with retries. */
export async function sendItem(job: Job, run: Run): Promise<Fate> {
	try {
		const { outcome, request, late } = await makeAttempts(job, run);
		if (late) return late;
		if (outcome) return fateOf(outcome, job, run, request);
		return notTried(job, run) ?? notStarted;
	} catch (error) {
		return run.failed(job.index, error, 'unknown'); // it may have left
	}
}

/** Returns that an item is not tried, since too many messages before it were lost or refused. */
export function notTried(job: Job, run: Run): Fate | undefined {
	const { outage } = run.flow.breakerFor(job);
	if (!outage || run.abort.isStopped) return undefined;
	return run.failed(job.index, job.item.invalid(...notSent[outage]), 'notStarted', false);
}

/**
 * Makes a request of several items, in the place of the first one. Keeps what the items get from an
 * answer, not the answer, which may have thousands of messages.
 */
export async function sendShared(first: Job, jobs: Job[], run: Run): Promise<Map<Job, Fate>> {
	const { outcome } = await run.flow.inPlace(async () => await makeAttempts(first, run));
	return new Map(jobs.map((job) => [job, outcome ? fateOf(outcome, job, run) : notStarted]));
}

/** The request that left last, with the final outcome if there is one; or why it may not leave any more. */
interface Attempted {
	request: ItemRequest;
	outcome?: Outcome;
	late?: Fate;
}

/** Makes the attempts of a request, each once it may leave. */
async function makeAttempts(job: Job, run: Run): Promise<Attempted> {
	const isFixed = job.list === undefined && !job.request.message?.requestAt;
	const policy = policyOf(job, run);
	let { request } = job;
	let outcome: Outcome | undefined;
	for await (const attempt of attemptsOf(policy)) {
		const due = isFixed ? request : await requestDue(job, run);
		if ('kind' in due) {
			if (due.kind === 'notStarted' || outcome?.kind === 'unknown') break;
			return { request, late: due };
		}
		request = due;
		const next = attempt.end(await sendOnce(job, request, run));
		run.flow.noteOutcome(job, next);
		outcome = mergeOutcomes(outcome, next);
	}
	return { request, outcome: outcome ?? policy.limiter.activeRefusal(policy.recipient) };
}

/** Returns the request for this attempt, or why it may not leave any more. An earlier attempt may have arrived. */
async function requestDue(job: Job, run: Run): Promise<ItemRequest | Fate> {
	try {
		const refusal = job.list === undefined ? undefined : await run.lists.ask(job);
		return refusal ?? requestDueNow(job.request);
	} catch (error) {
		return run.failed(job.index, error, 'refused');
	}
}

/** Returns the request as it may leave now, or that it may not. @throws when it may leave no more */
export function requestDueNow(request: ItemRequest): ItemRequest | NotSent {
	const now = request.message?.requestAt?.(Date.now()) ?? request;
	return 'withheld' in now ? notSentFor(request, 'outsideHours', now.withheld) : now;
}

async function sendOnce(
	{ index, account }: Job,
	request: ItemRequest,
	{ journal, operation }: Run,
): Promise<Outcome> {
	journal?.claim(index);
	const step = async (one: GatewayRequest) =>
		await account.attempt(one, account.timeout, operation.idempotent);
	return account.shown(await (request.steps?.(step) ?? step(request)));
}

function policyOf(job: Job, { abort, flow, operation }: Run): RetryPolicy {
	const { account } = job;
	const { message, path, pause } = job.request;
	return {
		idempotent: operation.idempotent,
		maxRetries: account.maxRetries,
		limiter: account.limiterFor(path),
		breaker: operation.idempotent ? undefined : flow.breakerFor(job),
		recipient: message?.recipient,
		maxPerSecond: account.requestsPerSecond,
		maxConcurrent: account.maxConcurrency,
		pace: pause && { of: account.pace(), pause },
		abort,
	};
}

/** Returns what the outcome of a request, its own or a shared one, means to a job. */
function fateOf(answered: Outcome, job: Job, run: Run, request = job.request): Fate {
	const outcome = request.judgeItem?.(answered) ?? answered;
	const question = request.message?.question;
	if (question && outcome.kind !== 'refused' && !run.abort.isStopped) {
		const { endOf, ...asking } = question;
		const sent = describeSent(outcome, job, run);
		const asked = { ...asking, until: endOf(Date.now()), sent };
		return { kind: 'asked', output: [{ sent }], question: asked };
	}
	if (outcome.kind === 'accepted') {
		return { kind: 'accepted', output: [request.output(outcome.body)].flat() };
	}
	return run.failed(job.index, itemError(outcome, job, run), outcome.kind);
}

function itemError(outcome: NotAccepted, { index, account, request }: Job, run: Run): NodeApiError {
	const { context, operation, uncertainty } = run;
	return toNodeApiError(context.getNode(), account, outcome, {
		itemIndex: index,
		request,
		uncertainty,
		hints: hintsFor(operation),
		inPause: '. After that, go on with what was not accepted.',
	});
}

/** Returns what became of a question's message. One without an answer may have arrived. */
function describeSent(
	outcome: Exclude<Outcome, { kind: 'refused' }>,
	job: Job,
	run: Run,
): IDataObject {
	const { kind } = outcome;
	const body = kind === 'accepted' ? outcome.body : undefined;
	const sent = { ...[job.request.output(body)].flat()[0], outcome: kind };
	if (kind === 'accepted') return sent;
	const hint = `${withHint(itemError(outcome, job, run))} The execution waits for the answer anyway.`;
	return { ...sent, hint };
}
