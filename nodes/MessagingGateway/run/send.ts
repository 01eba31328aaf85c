import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { messageIdOf } from '../../gateway/endpoints/messages';
import { toNodeApiError } from '../../gateway/errors';
import type { NotAccepted, Outcome } from '../../gateway/outcome';
import { withRetries, type RetryPolicy } from '../../gateway/pacing/retry';
import type { GatewayRequest } from '../../gateway/request';
import { withHint } from '../../text/text';
import { hintsFor, type ItemRequest } from '../operation';
import { notSentFor } from './explain';
import { notStarted, type Fate, type Job, type NotSent } from './job';
import type { Run } from './run';

/** Makes an item's request, with retries. */
export async function sendItem(job: Job, run: Run): Promise<Fate> {
	const isFixed = job.list === undefined && !job.request.message?.requestAt;
	let leaving: ItemRequest | undefined;
	let late: Fate | undefined;
	const attempt = async () => {
		const due = isFixed ? job.request : await requestDue(job, run);
		if (!('kind' in due)) return await attemptOnce(job, (leaving = due), run);
		if (due.kind !== 'notStarted') late = due;
		return undefined;
	};
	try {
		const outcome = await withRetries(attempt, policyOf(job, run));
		if (late && outcome?.kind !== 'unknown') return late;
		return outcome ? fateOf(outcome, job, run, leaving) : notStarted;
	} catch (error) {
		return run.failed(job.index, error, 'unknown'); // it may have left
	}
}

/**
 * Makes a request of several items, in the place of the first one. Keeps what the items get from an
 * answer, not the answer, which may have thousands of messages.
 */
export async function sendShared(first: Job, jobs: Job[], run: Run): Promise<Map<Job, Fate>> {
	const attempt = async () => await attemptOnce(first, first.request, run);
	const outcome = await run.flow.inPlace(
		async () => await withRetries(attempt, policyOf(first, run)),
	);
	return new Map(jobs.map((job) => [job, outcome ? fateOf(outcome, job, run) : notStarted]));
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

async function attemptOnce(
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
		onOutcome: (outcome) => flow.noteOutcome(job, outcome),
		recipient: message?.recipient,
		maxPerSecond: account.requestsPerSecond,
		maxConcurrent: account.maxConcurrency,
		pace: pause && (async (task) => await account.pace().run(task, pause, abort)),
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
		const output = [request.output(outcome.body)].flat();
		return { kind: 'accepted', output, messageId: messageIdOf(outcome.body) };
	}
	return run.failed(job.index, itemError(outcome, job, run), outcome.kind);
}

function itemError(outcome: NotAccepted, { index, account, request }: Job, run: Run): NodeApiError {
	const { context, operation } = run;
	return toNodeApiError(context.getNode(), account, outcome, {
		itemIndex: index,
		request,
		uncertainty: operation.uncertainty,
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
