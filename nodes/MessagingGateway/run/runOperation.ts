import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Entered, Item } from '../../form/item';
import type { Operation } from '../operation';
import { accountsOf, type AccountInUse } from './accounts';
import { checkItemOfCall } from './agentItems';
import { notRecorded, notSent } from './explain';
import { addHint, showHint } from './hints';
import { isDone, type Job, type Taken } from './job';
import { Journal } from './journal';
import { keyOf, toKey } from './keys/keyStore';
import { entryOf } from './maps';
import { Report } from './report';
import { checkCanWait, refuseParallelCall, waitForAnswer, withoutAnswer } from './waiting';
import { Way } from './way';

/**
 * Runs one operation over all input items: several at a time, messages to one number in input order,
 * output in input order. After a question, the execution waits for the answer.
 *
 * @throws NodeApiError or NodeOperationError about the items that keep the list from being sent, else
 * of the one that ended the run or failed first, unless the node continues on fail; it says what
 * became of all items
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const refusedCall = operation.waits && refuseParallelCall(context);
	if (refusedCall) return [[{ json: refusedCall, pairedItem: { item: 0 } }]];
	const { uncertainty } = operation;
	const journal = uncertainty && new Journal(context, uncertainty);
	const report = new Report(context, journal, uncertainty);
	await runAll(context, operation, report);
	const fates = report.fates();
	journal?.close(!fates.every(isDone));
	const outputs = report.outputs(fates);
	addHint(context, operation, fates, report);
	for (const note of report.notes) showHint(context, note, 'warning');
	const question = report.question(fates);
	if (!operation.waits) return outputs;
	if (!question) return withoutAnswer(context, outputs);
	await waitForAnswer(context, question);
	return outputs;
}

/** Where nothing can be sent at all, each item says why. */
async function runAll(
	context: IExecuteFunctions,
	operation: Operation,
	report: Report,
): Promise<void> {
	const indexes = context.getInputData().map((_, index) => index);
	try {
		if (operation.waits) checkCanWait(context, operation);
		checkItemOfCall(context, operation);
		const run = new Run(context, operation, await accountsOf(context), report);
		await run.untilStopped(indexes);
	} catch (error) {
		indexes.forEach((index) => report.record({ index }, report.refusal({ index }, error)));
	}
}

/** By item; undefined: it can't be sent. */
type Jobs = Array<Job | undefined>;

/** One run: reads the items in order, and sends each on its way. */
class Run {
	private readonly entered: Entered;
	private readonly way: Way;
	/** Of a list that is read before anything leaves, by key. */
	private numbers: Map<string, string> | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly accountOf: (index: number) => Promise<AccountInUse>,
		private readonly report: Report,
	) {
		this.entered = new Entered(context);
		this.way = new Way(context, operation, report);
	}

	/**
	 * Ends at once when the execution is stopped, as n8n stores it then: its Retry leaves out a node that
	 * ends later. A send that has left ends behind the node, which its key, the journal and the log get;
	 * other requests are broken off.
	 */
	async untilStopped(indexes: number[]): Promise<void> {
		const cancel = this.context.getExecutionCancelSignal();
		let onCancel = () => {};
		const stopped = new Promise<void>((resolve) => {
			onCancel = () => {
				this.report.abort.stop();
				resolve();
			};
		});
		cancel?.addEventListener('abort', onCancel);
		if (cancel?.aborted) onCancel();
		try {
			const all = this.all(indexes, cancel);
			await (this.operation.idempotent ? all : Promise.race([all, stopped]));
			if (cancel?.aborted) await sleep(0); // what only waited ends now
		} finally {
			cancel?.removeEventListener('abort', onCancel);
		}
	}

	private async all(indexes: number[], cancel: AbortSignal | undefined): Promise<void> {
		const read = await this.readFirst(indexes, cancel);
		if (!this.report.abort.isStopped) this.report.begin();
		await this.sendAll(indexes, read);
		await this.way.keys.close();
		for (const note of notRecorded(this.way.keys.unrecorded)) this.report.note(...note);
		if (cancel?.aborted) this.report.logStop();
	}

	/**
	 * Unless the node continues on fail, what must not be repeated begins only once every item has been
	 * read: after a bad one, the list is corrected and run again. A refused item stops the run. What
	 * items share begins once all of them are known.
	 */
	private async readFirst(indexes: number[], cancel?: AbortSignal): Promise<Jobs> {
		const read: Jobs = [];
		const { idempotent, isShared } = this.operation;
		if (!isShared && (idempotent || this.context.continueOnFail())) return read;
		this.numbers = new Map();
		for (const index of indexes) {
			await this.way.flow.giveWay();
			if (cancel?.aborted) break;
			const job = await this.read({ index });
			if (isShared && job) this.way.expect(job);
			// One that fills the memory, such as Base64 text, is read again at its turn.
			if (!(job?.request.isLarge && job.request.body)) read[index] = job;
		}
		return read;
	}

	/** The others are read ahead of their turn, so that the next one is ready when a request is over. */
	private async sendAll(indexes: number[], read: Jobs): Promise<void> {
		const { abort } = this.report;
		const underWay: Array<Promise<unknown>> = [];
		for (const index of indexes) {
			if (!abort.isStopped) await this.way.flow.readOn();
			if (abort.isStopped) break;
			const job = index in read ? read[index] : await this.read({ index });
			delete read[index];
			const fate = job ? this.way.go(job) : Promise.resolve();
			underWay.push(fate.then(() => this.way.flow.settle()));
		}
		this.way.flow.endReading();
		await Promise.all(underWay);
	}

	/** Reads an item's values, or records why it can't be sent. Items are read one at a time. */
	private async read(taken: Taken): Promise<Job | undefined> {
		const { index } = taken;
		let item: Item | undefined;
		try {
			const account = await this.accountOf(index);
			item = new Item(this.context, account, index, this.entered);
			const isTest = this.operation.dryRun && account.rules.testMode !== 'off';
			if (isTest) taken.testMode = { testMode: true };
			taken.preview = this.operation.dryRun?.(item);
			const request = await this.operation.request(item);
			const { recipient, insteadOf, country } = request;
			this.report.addressed(index, insteadOf?.recipient ?? recipient, country);
			if (taken.preview) Object.assign(taken.preview, request.preview?.());
			else if (insteadOf) taken.testMode = { testMode: true, insteadOf: insteadOf.to };
			const key = toKey({ request, account });
			const job = { ...taken, item, account, request, key };
			this.checkKey(job);
			return job;
		} catch (error) {
			if (item) this.report.addressed(index, this.operation.destination?.(item));
			this.report.record(taken, this.report.refusal(taken, error));
			return undefined;
		}
	}

	/**
	 * @throws NodeOperationError when an earlier item has the same key for another number, or the run's
	 * keys would push each other out of the store
	 */
	private checkKey(job: Job): void {
		const { item } = job;
		const key = keyOf(job);
		if (!key) return;
		const { capacity = Infinity } = this.way.keys.storeOf(key);
		if (item.total > capacity) throw item.invalid(...notSent.tooMany(item.total, capacity));
		if (!this.numbers || key.scope !== 'key') return;
		const known = entryOf(this.numbers, key.key, () => key.recipient);
		if (known !== key.recipient) throw item.invalid(...notSent.elsewhere(item.quote(key.key)));
	}
}
