import type { IDataObject, IExecuteFunctions, NodeApiError } from 'n8n-workflow';

import { messageIdOf } from '../../gateway/endpoints/messages';
import { toNodeApiError } from '../../gateway/errors';
import type { NotAccepted, Outcome, Reason } from '../../gateway/outcome';
import type { Abort } from '../../gateway/pacing/abort';
import { withRetries } from '../../gateway/pacing/retry';
import type { GatewayRequest } from '../../gateway/request';
import { withHint } from '../../text/sentence';
import { adviceFor } from '../form';
import type { ItemRequest, Operation } from '../operation';
import type { DoNotContactLists } from './doNotContact';
import type { Flow } from './flow';
import { failed, type Fate, type Job, type Result } from './job';
import type { Journal } from './journal';

/** Sends the requests of jobs, and says what became of them. */
export class Sender {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly requestsPerSecond: number,
		private readonly abort: Abort,
		private readonly flow: Pick<Flow, 'note'>,
		private readonly journal: Journal | undefined,
		private readonly doNotContact: Pick<DoNotContactLists, 'askAgain'>,
	) {}

	/** The request as it may leave now, or why it may not. */
	dueNow(job: Job): ItemRequest | Result {
		try {
			const now = job.request.dueAt?.(Date.now()) ?? job.request;
			return 'withheld' in now ? { kind: 'withheld', output: [now.withheld] } : now;
		} catch (error) {
			return failed(this.context.getNode(), job.index, error, 'refused');
		}
	}

	/** Why a message whose turn it is may not be sent to its number any more. */
	private async blockedNow(job: Job): Promise<Fate | undefined> {
		try {
			return await this.doNotContact.askAgain(job);
		} catch (error) {
			return failed(this.context.getNode(), job.index, error, 'refused');
		}
	}

	async send(job: Job): Promise<Fate> {
		let leaving: ItemRequest | undefined;
		let late: Result | undefined;
		try {
			const outcome = await this.attempts(job, async () => {
				const due = (await this.blockedNow(job)) ?? this.dueNow(job);
				if (due === 'notStarted') return undefined;
				if ('kind' in due) late = due;
				else leaving = due;
				return 'kind' in due ? undefined : due;
			});
			if (late && outcome?.kind !== 'unknown') return late;
			return outcome ? this.resultOf(job, outcome, leaving) : 'notStarted';
		} catch (error) {
			return failed(this.context.getNode(), job.index, error, leaving ? 'unknown' : 'refused');
		}
	}

	/** Repeats what was refused for now. Undefined when no attempt was made. */
	async attempts(
		job: Job,
		dueNow: () => Promise<ItemRequest | undefined> = async () => job.request,
	): Promise<Outcome | undefined> {
		const { client, limiterFor, pace } = job.account;
		const { idempotent } = this.operation;
		const step = async (one: GatewayRequest) =>
			await client.attempt(one, job.timeoutMs, idempotent);
		const attempt = async () => {
			const leaving = await dueNow();
			if (!leaving) return undefined;
			this.journal?.claim(job.index);
			return client.shown(await (leaving.steps?.(step) ?? step(leaving)));
		};
		const { recipient, path, pause } = job.request;
		const { abort } = this;
		return await withRetries(attempt, {
			idempotent,
			maxRetries: job.maxRetries,
			limiter: limiterFor(path),
			note: (outcome) => this.flow.note(job, outcome),
			recipient,
			most: this.requestsPerSecond,
			pace: pause && (async (task) => await pace.run(task, pause, abort)),
			abort,
		});
	}

	/** In a dry run, stops where the request would leave, and counts it as accepted. */
	pretend(job: Job): Result {
		const leaving = this.dueNow(job);
		if ('kind' in leaving) return leaving;
		Object.assign(job.preview!, leaving.preview);
		return { kind: 'accepted', output: [] };
	}

	/** What the outcome of a request, its own or a shared one, means to a job. */
	resultOf(job: Job, answered: Outcome, request = job.request): Result {
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
		return failed(this.context.getNode(), job.index, this.explain(job, outcome), outcome.kind);
	}

	private explain({ index, account, request }: Job, outcome: NotAccepted): NodeApiError {
		return toNodeApiError(this.context.getNode(), account.client, outcome, {
			itemIndex: index,
			request,
			uncertainty: this.operation.uncertainty,
			advice: adviceFor(this.operation),
			inPause:
				', so the run stopped here. After that, go on with the items that were not accepted.',
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
