import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, type Client } from '../../shared/client';
import { toNodeApiError } from '../../shared/explain';
import { Halt } from '../../shared/halt';
import { messageIdOf } from '../../shared/answer';
import type { Outcome } from '../../shared/outcome';
import { withRetries } from '../../shared/retry';
import { advice } from '../advice';
import type { ItemRequest, Operation } from '../operation';
import { Deduplication } from './deduplication';
import { Item } from '../item/item';
import { Lanes } from './lanes';
import { Literals } from '../item/literals';
import { pace } from './pace';
import { Pool } from './pool';
import { Report } from './report';

/**
 * Items under way and read ahead of their turn, per place in the pool. More would let more numbers
 * with several messages in a row go side by side, and leave more claimed keys in doubt after a crash.
 */
const lookahead = 2;

/** An item whose values are read and can be sent. */
interface Job {
	item: Item;
	request: ItemRequest;
	maxRetries: number;
	timeoutMs: number;
}

/**
 * Runs one operation over all input items: `maxConcurrency` at a time, messages to one number in
 * input order, output in input order.
 *
 * @throws NodeApiError or NodeOperationError of the first item that failed, unless the node
 * continues on fail; its description names what was accepted before
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const itemCount = context.getInputData().length;
	const report = new Report(context, itemCount);
	try {
		const client = await connect(context);
		await new Run(context, operation, client, report, itemCount).all();
	} catch (error) {
		const items = context.continueOnFail() ? itemCount : 1; // the first stops the node
		for (let index = 0; index < items; index++) report.fail(index, error, 'refused');
	}
	return report.result();
}

class Run {
	/** Ends waits and stops new requests: the execution was cancelled, or an item failed. */
	private readonly halt = new Halt();

	private readonly places: Pool;

	private readonly ahead: Pool;

	private readonly literals: Literals;

	private readonly lanes = new Lanes();

	private readonly deduplication: Deduplication;

	private readonly turn: () => Promise<boolean>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly client: Client,
		private readonly report: Report,
		private readonly itemCount: number,
	) {
		this.literals = new Literals(context);
		const wanted = Math.floor(this.setting('maxConcurrency', 10));
		const maxConcurrency = Math.min(Math.max(1, wanted), itemCount);
		this.places = new Pool(maxConcurrency);
		this.ahead = new Pool(maxConcurrency * lookahead);
		this.turn = pace(this.setting('requestsPerSecond', 0), this.halt);
		this.deduplication = new Deduplication(
			context.helpers,
			`${context.getWorkflow().id} ${context.getNode().id}`,
		);
	}

	async all(): Promise<void> {
		const cancel = this.context.getExecutionCancelSignal();
		const onCancel = () => this.halt.stop();
		cancel?.addEventListener('abort', onCancel);
		if (cancel?.aborted) onCancel();

		for (let index = 0; index < this.itemCount && !this.halt.isStopped; index++) {
			await this.ahead.enter();
			// Reading keeps n8n's thread busy: answers come first, since each makes room for a request.
			if (this.places.isFull) await sleep(0);
			const job = await this.prepare(index);
			const done = job && this.lanes.run(laneKeys(job), async () => await this.process(job));
			void Promise.resolve(done).then(() => this.ahead.leave());
		}
		await this.ahead.drain();
		await this.deduplication.settle();
		cancel?.removeEventListener('abort', onCancel);
	}

	/** Reads an item's values. Items are read in input order, one at a time. */
	private async prepare(index: number): Promise<Job | undefined> {
		try {
			const item = new Item(this.context, this.client, index, this.literals);
			return {
				item,
				request: await this.operation.request(item),
				maxRetries: item.optionNumber('maxRetries', 'Max Retries', 3, 0),
				timeoutMs: item.optionNumber('timeout', 'Timeout', 30_000, 1),
			};
		} catch (error) {
			this.fail(index, error, 'refused');
			return undefined;
		}
	}

	/** Never rejects: whatever goes wrong with an item is reported as that item's. */
	private async process(job: Job): Promise<void> {
		try {
			const { deduplicationKey } = job.request;
			if (deduplicationKey) await this.processOnce(job, deduplicationKey);
			else await this.send(job);
		} catch (error) {
			this.fail(job.item.index, error, 'refused');
		}
	}

	/** Sends unless the job's key was used before; never when it is not known whether it was sent. */
	private async processOnce(job: Job, deduplicationKey: string): Promise<void> {
		const { item } = job;
		if (this.halt.isStopped) return;
		const claim = await this.deduplication.claim(deduplicationKey);
		if (claim === 'accepted') {
			const reason = 'A message with this key was accepted before';
			this.report.skip(item.index, { skipped: true, deduplicationKey, reason });
		} else if (claim === 'unanswered') {
			const error = item.invalid(
				`The message may have been sent: an earlier attempt with the key '${deduplicationKey}' has no recorded answer`,
				`It was not sent again, so that nothing is sent twice. ${this.operation.uncertainty?.check} To send it anyway, change 'Deduplication Key'.`,
			);
			this.fail(item.index, error, 'unknown');
		} else {
			const outcome = await this.send(job);
			if (outcome?.kind === 'accepted') this.deduplication.markAccepted(deduplicationKey);
			else if (outcome?.kind !== 'unknown') this.deduplication.release(deduplicationKey);
		}
	}

	/** @returns undefined when the run was halted before the first attempt */
	private async send(job: Job): Promise<Outcome | undefined> {
		const { request, maxRetries, timeoutMs } = job;
		await this.places.enter();
		try {
			const outcome = await withRetries(async () => await this.client.attempt(request, timeoutMs), {
				idempotent: this.operation.idempotent,
				maxRetries,
				turn: this.turn,
				halt: this.halt,
			});
			if (outcome) this.settle(job, outcome);
			return outcome;
		} finally {
			this.places.leave(); // after a failure has stopped the run, or the next one would start
		}
	}

	private settle({ item, request }: Job, outcome: Outcome): void {
		if (outcome.kind === 'accepted') {
			const output = [request.output(outcome.body)].flat();
			this.report.succeed(item.index, output, messageIdOf(outcome.body));
			return;
		}
		const answer = outcome.kind === 'refused' && this.operation.refusalAsAnswer?.(outcome.reason);
		if (answer) {
			this.report.succeed(item.index, [answer]);
			return;
		}
		const error = toNodeApiError(this.context.getNode(), this.client, outcome, {
			itemIndex: item.index,
			request,
			uncertainty: this.operation.uncertainty,
			advice,
		});
		this.fail(item.index, error, outcome.kind);
	}

	private fail(index: number, error: unknown, outcome: 'refused' | 'unknown'): void {
		this.report.fail(index, error, outcome);
		if (!this.context.continueOnFail()) this.halt.stop();
	}

	/** A setting of the whole run, so it takes no expression over items. */
	private setting(name: string, fallback: number): number {
		return Number(this.context.getNodeParameter(`options.${name}`, 0, fallback)) || fallback;
	}
}

function laneKeys({ request: { recipient, deduplicationKey } }: Job): string[] {
	return [
		...(recipient ? [`to:${recipient}`] : []),
		...(deduplicationKey ? [`key:${deduplicationKey}`] : []),
	];
}
