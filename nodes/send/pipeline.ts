import { randomUUID } from 'crypto';
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { asNodeError } from '../n8n/errors';
import { attemptsOf, mergeOutcomes, type RetryPolicy } from '../pace/attempts';
import { paceOf } from '../pace/pace';
import type { Outcome, NotAccepted } from '../service/outcome';
import type { GatewayRequest } from '../service/request';
import { toNodeApiError } from '../service/requestError';
import { personOf } from '../text/phoneNumber';
import { withHint } from '../text/sentences';
import {
	checks,
	checkOutage,
	dryRunChecks,
	requestDueNow,
	requestOfAttempt,
	sendLanes,
} from './checks';
import { failed, notStarted, type Job, type Fate } from './job';
import { hintsFor, isWide, type ItemRequest } from './operation';
import type { Report } from './report';
import type { Run } from './run';

/** Takes one item after another through the checks and sends it. Only `settle` ends the claim of a key. */
export class ItemPipeline {
	private readonly id = randomUUID();

	constructor(
		private readonly run: Run,
		private readonly report: Report,
	) {}

	/** Checks and sends an item in its turn among those with the same number or key. Never rejects. */
	async process(job: Job): Promise<Fate> {
		const { id, run } = this;
		const { key, item, request } = job;
		const { recipient } = request.message ?? {};
		const names = [
			recipient && item.total > 1 && `${id} to ${personOf(recipient)}`,
			key && run.keys.laneOf(key),
			request.isLarge && `${id} large`,
			run.journal?.laneOf(request),
		].filter(Boolean) as string[];
		const task = async () => await this.checkAndSend(job);
		return await (names.length > 0 ? sendLanes.run(names, task, run.abort.stopped) : task());
	}

	private async checkAndSend(job: Job): Promise<Fate> {
		const { preview } = job;
		if (this.run.abort.isStopped) return notStarted;
		try {
			for (const check of preview ? dryRunChecks : checks) {
				const checked = check(job, this.run);
				const fate = checked instanceof Promise ? await checked : checked;
				if (fate) return this.settle(job, fate);
			}
			if (preview) return this.settle(job, showDue(job, this.run));
			return await this.send(job);
		} catch (error) {
			return this.settle(job, this.report.toRefusal(job, error));
		}
	}

	/**
	 * Makes the attempts of a request, each once it may leave. Settles in the place of the last one, so that a
	 * failure stops the run before the next item starts.
	 */
	private async send(job: Job): Promise<Fate> {
		const { run } = this;
		const policy = policyOf(job, run);
		let { request } = job;
		let outcome: Outcome | undefined;
		try {
			for await (const attempt of attemptsOf(policy)) {
				const due = await requestOfAttempt(job, run);
				if (due.kind !== 'due') {
					if (due.kind === 'notStarted' || outcome?.kind === 'unknown') break;
					return this.settle(job, due);
				}
				({ request } = due);
				outcome = mergeOutcomes(outcome, attempt.end(await sendOnce(job, request, run)));
				if (attempt.pauseMs === undefined) return this.settleAll(job, request, outcome);
			}
			outcome ??= policy.limiter.activeRefusal(policy.recipient);
			if (outcome) return this.settleAll(job, request, outcome);
			return this.settle(job, checkOutage(job, run) ?? notStarted);
		} catch (error) {
			const failure = asNodeError(run.node, error, job.index);
			return this.settle(job, failed('unknown', failure)); // it may have left
		}
	}

	/** Settles a request's item, or all that share it, unless one of them stops the run. */
	private settleAll(job: Job, request: ItemRequest, outcome: Outcome): Fate {
		const { run } = this;
		const fate = this.settle(job, fateOf(outcome, job, run, request));
		for (const other of job.sharing ?? []) {
			if (run.abort.isStopped) break;
			this.settle(other, fateOf(outcome, other, run, other.request));
		}
		return fate;
	}

	/** Ends the claim of the key, and records what became of the item. */
	private settle(job: Job, fate: Fate): Fate {
		const { report, run } = this;
		if (job.key) run.keys.endClaim(job.key, fate);
		return report.record(job, fate);
	}
}

function policyOf(job: Job, run: Run): RetryPolicy {
	const { account, breaker, limiter, request } = job;
	const { message, pause } = request;
	return {
		...{ idempotent: run.operation.idempotent, limiter, breaker },
		maxRetries: account.maxRetries,
		recipient: message?.recipient,
		maxPerSecond: account.requestsPerSecond,
		maxConcurrent: account.maxConcurrency,
		isWide: isWide(request),
		pace: pause && { of: paceOf(account), pause },
		abort: run.abort,
	};
}

async function sendOnce(
	{ index, account }: Job,
	request: ItemRequest,
	{ journal, operation }: Run,
): Promise<Outcome> {
	journal?.claim(index);
	const attempt = async (one: GatewayRequest) =>
		await account.attempt(one, account.timeout, operation.idempotent);
	const first = await attempt(request);
	const next = first.kind === 'accepted' ? request.next?.(first.body) : undefined;
	return account.shown(next ? await attempt(next) : first);
}

/** Shows the request of a dry run's item that would leave now. Its key counts as used after that. */
function showDue({ key, request }: Job, { keys }: Run): Fate {
	const due = requestDueNow(request);
	if (due.kind !== 'due') return due;
	if (key) keys.useInDryRun(key);
	return { kind: 'dryRun', output: [{ wouldSend: true, ...due.request.preview?.() }] };
}

/** Returns what the outcome of a request, its own or a shared one, means to a job. */
function fateOf(answered: Outcome, job: Job, run: Run, request: ItemRequest): Fate {
	const outcome = request.judgeItem?.(answered) ?? answered;
	const question = run.abort.isStopped ? undefined : request.message?.question;
	if (outcome.kind === 'refused' || (outcome.kind === 'unknown' && !question)) {
		return failed(outcome.kind, itemError(outcome, job, run));
	}
	const isAccepted = outcome.kind === 'accepted';
	const output = [request.output(isAccepted ? outcome.body : undefined)].flat();
	if (!question) return { kind: 'accepted', output };
	const sent: IDataObject = { ...output[0], outcome: outcome.kind };
	if (!isAccepted) {
		const hint = withHint(itemError(outcome, job, run)); // it may have arrived
		sent.hint = `${hint} The execution waits for the answer anyway.`;
	}
	return { kind: 'asked', output: [{ sent }], question, sent, sentAt: Date.now() };
}

function itemError(outcome: NotAccepted, { index, account, request }: Job, run: Run): NodeApiError {
	const { node, operation, uncertainty } = run;
	return toNodeApiError(node, account, outcome, {
		itemIndex: index,
		request,
		uncertainty,
		hints: hintsFor(operation),
		inPause: '. After that, go on with what was not accepted.',
	});
}
