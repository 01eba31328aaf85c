import type { IDataObject, IExecuteFunctions, NodeApiError } from 'n8n-workflow';

import type { Item } from '../../form/item';
import { messageIdOf } from '../../gateway/endpoints/messages';
import { toNodeApiError } from '../../gateway/errors';
import type { NotAccepted, Outcome, Reason } from '../../gateway/outcome';
import { withRetries } from '../../gateway/pacing/retry';
import type { GatewayRequest } from '../../gateway/request';
import { withHint } from '../../text/sentence';
import { adviceFor } from '../form';
import type { ItemRequest, Operation } from '../operation';
import type { Account } from './accounts';
import type { Pool } from './concurrency';
import type { Journal } from './journal';
import type { RunKeys } from './keys/runKeys';
import type { Report } from './report';
import type { RunOptions } from './runOptions';

/** An item whose values have been read. */
export interface Job {
	item: Item;
	account: Account;
	request: ItemRequest;
	maxRetries: number;
	timeoutMs: number;
	/** The request as it has left, or is about to. */
	leaving?: ItemRequest;
	/** Reports why the request may not leave any more. */
	withhold?: () => void;
}

/** Sends the requests of jobs, and reports what becomes of them. */
export class Sender {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly options: Pick<RunOptions, 'requestsPerSecond'>,
		private readonly places: Pool,
		private readonly keys: Pick<RunKeys, 'noteFree'>,
		private readonly report: Report,
		private readonly journal: Journal | undefined,
	) {}

	/** The request as it may leave now; where it may not, `job.withhold` reports why. */
	dueNow(job: Job): ItemRequest | undefined {
		const { request, item } = job;
		try {
			const now = request.at?.(Date.now()) ?? request;
			if (!('withheld' in now)) return now;
			job.withhold = () =>
				this.report.set(item.index, { kind: 'withheld', output: [now.withheld] });
		} catch (error) {
			job.withhold = () => this.report.fail(item.index, error, 'refused');
		}
		return undefined;
	}

	/** @returns undefined when no attempt was made, or the request may not leave any more */
	async send(job: Job): Promise<Outcome | undefined> {
		if (this.report.isDryRun(job.item.index)) return this.pretend(job);
		await this.places.enter();
		try {
			const outcome = await withRetries(async () => await this.attempt(job), {
				idempotent: this.operation.idempotent,
				maxRetries: job.maxRetries,
				limiter: job.account.limiter,
				most: this.options.requestsPerSecond,
				abort: this.report.abort,
			});
			if (job.withhold && outcome?.kind !== 'unknown') {
				job.withhold();
				return undefined;
			}
			if (outcome) this.settle(job, outcome);
			return outcome;
		} finally {
			this.places.leave(); // only now: a failure has stopped the run before the next one starts
			this.keys.noteFree();
		}
	}

	private async attempt(job: Job): Promise<Outcome | undefined> {
		const { client } = job.account;
		const leaving = this.dueNow(job);
		if (!leaving) return undefined;
		job.leaving = leaving;
		this.journal?.noteSending(job.item.index);
		const step = async (one: GatewayRequest) => await client.attempt(one, job.timeoutMs);
		return client.shown(await (leaving.steps?.(step) ?? step(leaving)));
	}

	/** In a dry run, stops where the request would leave, and counts it as accepted. */
	private pretend(job: Job): Outcome | undefined {
		const { index } = job.item;
		const leaving = this.dueNow(job);
		if (!leaving) {
			job.withhold!();
			return undefined;
		}
		this.report.preview(index, leaving.preview);
		this.report.set(index, { kind: 'accepted', output: [] });
		return { kind: 'accepted', body: undefined };
	}

	/** Reports what the outcome of a request, its own or a shared one, means to a job. */
	settle(job: Job, answered: Outcome): void {
		const { item, leaving: request = job.request } = job;
		const stopped = asStopped(answered);
		const outcome = request.share?.(stopped) ?? stopped;
		if (request.question && outcome.kind !== 'refused' && !this.report.abort.isStopped) {
			const { endOf, ...asking } = request.question;
			const sent = this.describeSent(job, outcome);
			const question = { ...asking, until: endOf(Date.now()), sent };
			this.report.set(item.index, { kind: 'asked', output: [{ sent }], question });
			return;
		}
		if (outcome.kind === 'accepted') {
			const output = [request.output(outcome.body)].flat();
			const messageId = messageIdOf(outcome.body);
			this.report.set(item.index, { kind: 'accepted', output, messageId });
			return;
		}
		const answer = outcome.kind === 'refused' && this.operation.refusalAsAnswer?.(outcome.reason);
		if (answer) this.report.set(item.index, { kind: 'accepted', output: [answer] });
		else this.report.fail(item.index, this.explain(job, outcome), outcome.kind);
	}

	private explain({ item, account, request }: Job, outcome: NotAccepted): NodeApiError {
		return toNodeApiError(this.context.getNode(), account.client, outcome, {
			itemIndex: item.index,
			request,
			uncertainty: this.operation.uncertainty,
			advice: adviceFor(this.operation),
			inPause:
				', so the run stopped here. After that, run the workflow again for the items that are not listed as accepted.',
		});
	}

	/** What became of a question's message; one without an answer may have arrived. */
	private describeSent(job: Job, outcome: Exclude<Outcome, { kind: 'refused' }>): IDataObject {
		const { kind } = outcome;
		const body = kind === 'accepted' ? outcome.body : undefined;
		const sent = { ...[job.request.output(body)].flat()[0], outcome: kind };
		if (kind === 'accepted') return sent;
		return { ...sent, hint: withHint(this.explain(job, outcome)) };
	}
}

/** Explains a request that n8n cancelled, by Stop or a time limit, as that: not as the service's fault. */
function asStopped(outcome: Outcome): Outcome {
	if (outcome.kind === 'accepted' || outcome.reason.text !== 'ERR_CANCELED') return outcome;
	const left = outcome.kind === 'unknown' ? 'the service answered' : 'the request left';
	const reason: Reason = {
		...outcome.reason,
		explanation: { message: `The execution was stopped before ${left}` },
	};
	return { ...outcome, reason };
}
