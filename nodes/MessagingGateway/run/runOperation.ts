import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { maxRetriesOption, timeoutOption } from '../../form/fields/runOptions';
import { Entered } from '../../form/entered';
import { Item } from '../../form/item';
import type { ItemRequest, Operation } from '../operation';
import { Accounts } from './accounts';
import { DoNotContactList } from './doNotContact';
import { notSent } from './explain';
import { Flow } from './flow';
import { addHint } from './hints';
import { failed, isFailed, type Fate, type Job, type Taken } from './job';
import type { Journal } from './journal/journal';
import { openJournal } from './journal/openJournal';
import { DryRunKeys } from './keys/dryRunKeys';
import { RunKeys } from './keys/runKeys';
import { Report } from './report';
import { readRunOptions } from './runOptions';
import { Sender } from './sender';
import { checkCanWait, refuseParallelCall, waitForAnswer } from './waiting';
import { Way } from './way';

/**
 * Runs one operation over all input items: at most `maxConcurrency` at a time, messages to one number
 * in input order, output in input order. After a question, the execution waits for the answer.
 *
 * @throws NodeApiError or NodeOperationError of the item that ended the run, else of the first that
 * failed, unless the node continues on fail; its description lists what was accepted
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const refusedCall = operation.waits && refuseParallelCall(context);
	if (refusedCall) return [[{ json: refusedCall, pairedItem: { item: 0 } }]];
	const { uncertainty } = operation;
	const journal = uncertainty && openJournal(context, uncertainty);
	const report = new Report(context, journal);
	const fates = await fatesOf(context, operation, report, journal);
	journal?.close(fates.some(isFailed));
	const outputs = report.outputs(fates);
	addHint(context, operation, fates);
	const question = report.question(fates);
	if (question) await waitForAnswer(context, question);
	return outputs;
}

/** What becomes of each item. Where nothing can be sent at all, the first item says why. */
async function fatesOf(
	context: IExecuteFunctions,
	operation: Operation,
	report: Report,
	journal: Journal | undefined,
): Promise<Fate[]> {
	const indexes = context.getInputData().map((_, index) => index);
	const before = (index: number): Fate => journal?.readUnknown(index) ?? 'notStarted';
	try {
		if (operation.waits) checkCanWait(context, operation);
		const run = new Run(context, operation, await Accounts.of(context), report, journal);
		const fates = await run.all(indexes);
		return fates.map((fate, index) => (fate === 'notStarted' ? before(index) : fate));
	} catch (error) {
		return indexes.map((index) => {
			const fate = before(index);
			if (fate !== 'notStarted' || report.abort.isStopped) return fate;
			const refused = failed(context.getNode(), index, error, 'refused');
			return report.record({ index }, refused);
		});
	}
}

/** One run: reads the items in order, and sends each on its way. */
class Run {
	private readonly entered: Entered;
	private readonly keys: RunKeys;
	private readonly flow: Flow;
	private readonly way: Way;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly accounts: Accounts,
		private readonly report: Report,
		private readonly journal: Journal | undefined,
	) {
		const options = readRunOptions(context);
		const { abort } = report;
		this.entered = new Entered(context);
		this.flow = new Flow(options.maxConcurrency, operation.idempotent);
		this.keys = new RunKeys(context, options.keyWorkflow, this.flow, abort);
		const { contactWorkflow } = options;
		this.way = new Way(context, operation, {
			report,
			journal,
			keys: this.keys,
			dryRunKeys: new DryRunKeys(this.keys),
			doNotContact: contactWorkflow && new DoNotContactList(context, contactWorkflow),
			flow: this.flow,
			sender: new Sender(context, operation, options.requestsPerSecond, abort, this.flow, journal),
		});
	}

	async all(indexes: number[]): Promise<Fate[]> {
		const { abort } = this.report;
		const cancel = this.context.getExecutionCancelSignal();
		const onCancel = () => abort.stop();
		cancel?.addEventListener('abort', onCancel);
		if (cancel?.aborted) onCancel();
		try {
			const fates = await this.readAll(indexes);
			await this.keys.close();
			if (cancel?.aborted) this.context.logger.warn(...this.report.stopLog(fates));
			return fates;
		} finally {
			cancel?.removeEventListener('abort', onCancel);
		}
	}

	/** Items are read ahead of their turn, so that the next one is ready when a request is over. */
	private async readAll(indexes: number[]): Promise<Fate[]> {
		const fates: Array<Fate | Promise<Fate>> = [];
		for (const index of indexes) {
			if (!this.report.abort.isStopped) await this.flow.readOn();
			if (this.report.abort.isStopped) fates.push('notStarted');
			else {
				const read = await this.read({ index });
				const fate = typeof read === 'object' && 'request' in read ? this.way.go(read) : read;
				fates.push(fate);
				void Promise.resolve(fate).then(() => this.flow.settle());
			}
		}
		this.flow.endReading();
		return await Promise.all(fates);
	}

	/** Reads an item's values, or records why it can't be sent. Items are read one at a time. */
	private async read(taken: Taken): Promise<Job | Fate> {
		const { index } = taken;
		try {
			const account = await this.accounts.forItem(index);
			const item = new Item(this.context, account.client, index, this.entered);
			taken.preview = this.operation.dryRun?.(item);
			const request = await this.operation.request(item);
			if (taken.preview) Object.assign(taken.preview, request.preview);
			this.checkCapacity(item, request);
			const maxRetries = maxRetriesOption.read(item);
			const timeoutMs = timeoutOption.read(item);
			return { ...taken, item, account, request, maxRetries, timeoutMs };
		} catch (error) {
			const before = taken.preview ? undefined : this.journal?.readUnknown(index);
			const refused = failed(this.context.getNode(), index, error, 'refused');
			return this.report.record(taken, before ?? refused);
		}
	}

	/** @throws NodeOperationError when this execution's keys would push each other out of the store */
	private checkCapacity(item: Item, { deduplicationKey }: ItemRequest): void {
		if (!deduplicationKey) return;
		const { store } = this.keys;
		const count = this.keys.countWith(item.total);
		if (count > store.capacity) throw item.invalid(...notSent.tooMany(count, store));
	}
}
