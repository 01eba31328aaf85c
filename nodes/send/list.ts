import { sleep } from 'n8n-workflow';

import { Item } from '../form/item';
import { ownerOfNode } from '../n8n/errors';
import type { Client } from '../service/client';
import { entryOf } from '../text/collections';
import { takeOverAtEnd } from './checks';
import { notSent } from './explain';
import type { Job, SharedRequest, InputItem } from './job';
import { keyOf, type RunKey } from './keys/keyStore';
import { keysPerLookUp, defaultCapacity } from './keys/n8nKeyStore';
import { ItemPipeline } from './pipeline';
import type { Report } from './report';
import type { AccountOf, Run } from './run';

/** A run of this many messages whose keys were used before: those of the next ones may be, too. */
const manyUsedKeys = 100;

/** The job of each item, by index; undefined: the item can't be sent. */
type Jobs = Array<Job | undefined>;

/** Reads the items of a run in order, and passes each to the pipeline. */
export class ItemList {
	private readonly pipeline: ItemPipeline;
	/** The number of each key, in a list that is read before anything leaves. */
	private numbers: Map<string, string> | undefined;
	private readonly shared = new Map<Client, Map<string, SharedRequest>>();

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
		const jobs: Jobs = [];
		if (isReadFirst) {
			this.numbers = new Map();
			await this.readAhead(indexes, jobs);
		}
		if (!this.run.abort.isStopped) this.report.hasBegun = true;
		await this.sendAll(indexes, jobs);
		if (context.continueOnFail() && !this.run.isCanceled && !this.report.isDryRun) {
			await takeOverAtEnd(this.run, this.accountOf);
		}
		await this.run.keys.close();
		if (this.run.isCanceled) this.report.logStop();
	}

	/**
	 * Reads items before their turn. Unless the node continues on fail, an operation that must not be repeated
	 * begins only once all are read: after a bad item, the list is corrected and run again. A refused item
	 * stops the run. A request that items share begins once all of them are known.
	 */
	private async readAhead(indexes: number[], jobs: Jobs): Promise<void> {
		const { cancel, flow } = this.run;
		for (const index of indexes) {
			await flow.yieldToEventLoop();
			if (cancel?.aborted) return;
			if (!(index in jobs)) jobs[index] = await this.read({ index });
		}
	}

	/** Sends each item. Other items are read ahead, so that the next one is ready when a request is over. */
	private async sendAll(indexes: number[], jobs: Jobs): Promise<void> {
		const { abort, flow } = this.run;
		const underWay: Array<Promise<unknown>> = [];
		let usedInRow = 0;
		let lookedUp = 0;
		for (const index of indexes) {
			if (!abort.isStopped) await flow.waitToRead();
			if (usedInRow >= manyUsedKeys && index >= lookedUp) {
				lookedUp = index + keysPerLookUp;
				await this.findUsedKeys(indexes.slice(index, lookedUp), jobs);
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
	private async findUsedKeys(indexes: number[], jobs: Jobs): Promise<void> {
		await this.readAhead(indexes, jobs);
		const ahead = indexes.flatMap((index) => jobs[index] ?? []);
		const keyed = ahead.filter(({ key }) => key && !key.workflow);
		const areUsed = await this.run.keys.areUsed(keyed.map(({ key }) => key!));
		keyed.forEach((job, at) => (job.isKeyUsed = areUsed[at]));
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
			const { message } = request;
			const { gap, recipient } = message ?? {};
			report.destinations[index] = recipient;
			if (gap) report.gaps.push(gap);
			if (taken.preview) Object.assign(taken.preview, request.preview?.());
			// A request that reaches nobody needs no permission.
			const permissionFrom = recipient === undefined ? undefined : account.doNotContactWorkflowId;
			const job: Job = Object.assign(taken, { item, account, request, permissionFrom });
			if (message?.deduplication)
				this.useKey(job, keyOf(message.deduplication, message.recipient, account));
			if (operation.isShared) this.share(job);
			return job;
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

	private share(job: Job): void {
		const { account, request } = job;
		const { method, path, query } = request;
		const ofAccount = entryOf(this.shared, account, () => new Map<string, SharedRequest>());
		const question = JSON.stringify([method, path, query]);
		job.shared = entryOf(ofAccount, question, () => ({ jobs: [] }));
		job.shared.jobs.push(job);
	}
}
