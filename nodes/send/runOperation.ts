import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { isOfInstance } from '../account/account';
import { Item } from '../form/item';
import { ownerOfNode } from '../n8n/errors';
import { servesAgent } from '../n8n/nodeKinds';
import { CircuitBreaker } from '../pace/circuitBreaker';
import { Limiter } from '../pace/limiter';
import { paceOf } from '../pace/pace';
import { usualWidth } from '../pace/pool';
import type { Client } from '../service/client';
import { entryOf } from '../text/collections';
import { useItemOfCall } from './agents';
import { takeOverAtEnd } from './checks';
import { notSent } from './explain';
import type { Job, InputItem } from './job';
import { keyOf, type RunKey } from './keys/keyStore';
import { keysPerLookUp, defaultCapacity } from './keys/n8nKeyStore';
import { isWide, type Operation } from './operation';
import { ItemPipeline } from './pipeline';
import { Report, isDone } from './report';
import { Run, accountsOf, type AccountOf } from './run';

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
	const { waits } = operation;
	const refusedCall = waits?.refuseParallelCall(context);
	if (refusedCall) return [[{ json: refusedCall, pairedItem: { item: 0 } }]];
	const run = new Run(context, operation);
	const report = new Report(run);
	const indexes = [...context.getInputData().keys()];
	try {
		waits?.checkCanWait(context, operation);
		if (servesAgent(run.node)) await useItemOfCall(context, run.entered, operation);
		await new ItemList(run, report, await accountsOf(context)).runUntilStopped(indexes);
	} catch (error) {
		// Nothing can be sent at all, so each item says why.
		indexes.forEach((index) => report.record({ index }, report.toRefusal({ index }, error)));
	}
	const fates = report.collectFates();
	run.journal?.close(!fates.every(isDone));
	const outputs = report.toOutputs(fates);
	report.showHint(fates);
	const asked = fates.find((fate) => fate.kind === 'asked');
	if (asked) await asked.question.waitForAnswer(asked.sent, asked.sentAt);
	else if (waits) outputs.flat().forEach(({ json }) => waits.addFeedback(context, json));
	return outputs;
}

/** A run of this many messages whose keys were used before: those of the next ones may be, too. */
const manyUsedKeys = 100;

/** Reads the items of a run in order, and passes each to the pipeline. */
class ItemList {
	private readonly flow = new Flow();
	private readonly pipeline: ItemPipeline;
	/** Those read before their turn, by index; undefined: the item makes no request. */
	private readonly jobs: Array<Job | undefined> = [];
	private readonly breakers = new Map<object, CircuitBreaker>();
	/** The number of each key, in a list that is read before anything leaves. */
	private numbers: Map<string, string> | undefined;
	/** The first item of each request that others share, by account. */
	private readonly shared = new Map<Client, Map<string, Job>>();

	constructor(
		private readonly run: Run,
		private readonly report: Report,
		private readonly accountOf: AccountOf,
	) {
		this.pipeline = new ItemPipeline(run, report);
	}

	/**
	 * Runs the items, but ends at once when the execution is stopped, since n8n stores it then: its Retry
	 * leaves out a node that ends later. A send that has left goes on in the background, and its key, the
	 * journal and the log get its result. Other requests are aborted.
	 */
	async runUntilStopped(indexes: number[]): Promise<void> {
		const { abort, cancel, operation } = this.run;
		let onCancel = () => {};
		const canceled = new Promise<void>((resolve) => {
			onCancel = () => {
				abort.stop();
				resolve();
			};
		});
		cancel?.addEventListener('abort', onCancel);
		if (cancel?.aborted) onCancel();
		try {
			const all = this.runItems(indexes);
			await (operation.idempotent ? all : Promise.race([all, canceled]));
			if (cancel?.aborted) await sleep(0); // what only waited ends now
		} finally {
			cancel?.removeEventListener('abort', onCancel);
		}
	}

	private async runItems(indexes: number[]): Promise<void> {
		const { context, operation } = this.run;
		const { idempotent, isShared } = operation;
		const isReadFirst = isShared === true || !(idempotent || context.continueOnFail());
		if (isReadFirst) {
			this.numbers = new Map();
			await this.readAhead(indexes);
		}
		if (!this.run.abort.isStopped) this.report.hasBegun = true;
		await this.sendAll(indexes);
		if (context.continueOnFail() && !this.run.isCanceled && !this.report.isDryRun) {
			await takeOverAtEnd(this.run, this.accountOf);
		}
		await this.run.keys.close();
		if (this.run.isCanceled) this.report.logStop();
	}

	/**
	 * Reads items before their turn. Unless the node continues on fail, an operation that must not be repeated
	 * begins only once all are read: after a bad item, the list is corrected and run again. A request that
	 * items share begins once all of them are known.
	 */
	private async readAhead(indexes: number[]): Promise<void> {
		const { flow, jobs, run } = this;
		for (const index of indexes) {
			await flow.yieldToEventLoop();
			if (run.isCanceled) return;
			if (!(index in jobs)) jobs[index] = await this.read({ index });
		}
	}

	/** Sends each item. Other items are read ahead, so that the next one is ready when a request is over. */
	private async sendAll(indexes: number[]): Promise<void> {
		const { flow, jobs } = this;
		const { abort } = this.run;
		const underWay: Array<Promise<unknown>> = [];
		let usedInRow = 0;
		let lookedUp = 0;
		for (const index of indexes) {
			if (!abort.isStopped) await flow.waitToRead();
			if (usedInRow >= manyUsedKeys && index >= lookedUp) {
				lookedUp = index + keysPerLookUp;
				await this.findUsedKeys(indexes.slice(index, lookedUp));
			}
			if (abort.isStopped) break;
			const job = index in jobs ? jobs[index] : await this.read({ index });
			delete jobs[index];
			if (job) flow.fit(job);
			const gone = job ? this.pipeline.process(job) : Promise.resolve(undefined);
			const ended = gone.then((fate) => {
				usedInRow = fate?.kind === 'skipped' ? usedInRow + 1 : 0;
				flow.close();
			});
			underWay.push(ended);
		}
		await Promise.all(underWay);
	}

	/**
	 * Looks up many keys at once when a list is sent again, so that used ones need no claim: n8n's own store
	 * rewrites all keys at each call, and a key that was used takes three calls.
	 */
	private async findUsedKeys(indexes: number[]): Promise<void> {
		await this.readAhead(indexes);
		const { keys } = this.run;
		const lookUp = async (job: Job | undefined) => {
			if (!job?.key || job.key.workflow) return;
			const claim = await keys.lookUp(job.key).catch(() => undefined);
			job.isKeyUsed = claim === 'accepted';
		};
		await Promise.all(indexes.map(async (index) => await lookUp(this.jobs[index])));
	}

	/** Reads an item's values, or records why it can't be sent. Items are read one at a time. */
	private async read(taken: InputItem): Promise<Job | undefined> {
		const { index } = taken;
		const { report } = this;
		const { context, entered, operation } = this.run;
		let item: Item | undefined;
		try {
			const account = await this.accountOf(index);
			item = new Item(context, account, index, entered);
			taken.preview = operation.dryRun?.(item);
			const request = await operation.request(item);
			const { message, path } = request;
			report.destinations[index] = message?.recipient;
			if (message?.gap) report.gaps.push(message.gap);
			if (taken.preview) Object.assign(taken.preview, request.preview?.());
			const limiter = Limiter.of(account, path);
			const job: Job = Object.assign(taken, { item, account, request, limiter });
			if (!operation.idempotent) {
				const owner = isOfInstance(path) ? paceOf(account) : limiter;
				job.breaker = entryOf(this.breakers, owner, () => new CircuitBreaker());
			}
			// A request that reaches nobody needs no permission.
			if (message) job.permissionFrom = account.doNotContactWorkflowId;
			if (message?.deduplication)
				this.useKey(job, keyOf(message.deduplication, message.recipient, account));
			return operation.isShared ? this.share(job) : job;
		} catch (error) {
			if (item) report.destinations[index] = operation.destination?.(item);
			report.record(taken, report.toRefusal(taken, error));
			return undefined;
		}
	}

	/**
	 * @throws NodeOperationError when an earlier item has the same key for another number, or the keys of
	 * the execution would push each other out of the store
	 */
	private useKey(job: Job, key: RunKey): void {
		const { item } = job;
		job.key = key;
		this.report.keyed ??= item;
		const used = key.workflow ? 0 : (this.run.journal?.useKeys(item.total) ?? 0);
		if (used > defaultCapacity) {
			throw ownerOfNode(this.run.node).invalid(...notSent.tooMany(used, defaultCapacity));
		}
		if (!this.numbers || key.scope !== 'key') return;
		const known = entryOf(this.numbers, key.key, () => key.recipient);
		if (known !== key.recipient) throw item.invalid(...notSent.elsewhere(item.quote(key.key)));
	}

	/** Returns an item, unless an earlier one makes the same request for both. */
	private share(job: Job): Job | undefined {
		const { method, path, query } = job.request;
		const ofAccount = entryOf(this.shared, job.account, () => new Map<string, Job>());
		const first = entryOf(ofAccount, JSON.stringify([method, path, query]), () => job);
		if (first === job) return job;
		(first.sharing ??= []).push(job);
		return undefined;
	}
}

/**
 * The number of items read ahead of those whose request may be under way. With more, more numbers with
 * several messages each could go in parallel, but a crash would leave more claimed keys in doubt.
 */
const itemsReadAhead = 10;

/** The share of the open items that is left when items with questions, about a key or a permission, are read again. */
const shareLeft = 0.56;

/** The number of items of a dry run that are read at a time: its questions are all it takes time for. */
const itemsShownAtOnce = 100;

/** The longest time, in ms, for which a run keeps n8n's thread from other work. */
const longestBlockingMs = 50;

/** Bounds how many items of a run are open: read, and without a result yet. */
export class Flow {
	private open = 0;
	private resume = () => {};
	/** Once most are open, no item is read until few are: those that are then read together share their questions. */
	private bounds = () => ({ most: 1, few: 0 });
	private yieldedAt = performance.now();

	/** Waits until another item may be read. Each such item ends with `close`. */
	async waitToRead(): Promise<void> {
		if (this.open >= this.bounds().most)
			await new Promise<void>((resolve) => (this.resume = resolve));
		this.open++;
		await this.yieldToEventLoop();
	}

	/** Lets n8n do what waits for its thread, if it has waited for too long. */
	async yieldToEventLoop(): Promise<void> {
		if (performance.now() - this.yieldedAt < longestBlockingMs) return;
		await sleep(0);
		this.yieldedAt = performance.now();
	}

	close(): void {
		this.open--;
		if (this.open <= this.bounds().few) this.resume();
	}

	/** Sets how many items may be open, by the latest one that was read. */
	fit({ account, key, limiter, permissionFrom, preview, request }: Job): void {
		if (preview) this.bounds = () => ({ most: itemsShownAtOnce, few: 0 });
		// One message leaves at a time, for hours. If none is read ahead, a crash leaves only its key in doubt.
		else if (request.pause?.maxMs) this.bounds = () => ({ most: 1, few: 0 });
		else if (!isWide(request)) this.bounds = () => ({ most: usualWidth, few: usualWidth - 1 });
		else {
			const share = key || permissionFrom !== undefined ? shareLeft : 1;
			this.bounds = () => {
				const most = limiter.width(account.maxConcurrency) + itemsReadAhead;
				return { most, few: Math.floor(share * (most - 1)) };
			};
		}
	}
}
