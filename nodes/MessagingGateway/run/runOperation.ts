import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { maxRetriesOption, timeoutOption } from '../../form/fields/runOptions';
import { Entered } from '../../form/entered';
import { Item } from '../../form/item';
import { ownedBy, type Owner } from '../../gateway/owner';
import type { Abort } from '../../gateway/pacing/abort';
import type { ItemRequest, Operation } from '../operation';
import { Accounts } from './accounts';
import { Lanes, Pool } from './concurrency';
import { DoNotContactList } from './doNotContact';
import { deduplicationOf } from './dryRun';
import { blocked, notRepeated, notSent, skipped } from './explain';
import { Journal } from './journal';
import { DryRunKeys } from './keys/dryRunKeys';
import type { Key, KnownClaim, StoreError } from './keys/keyStore';
import { RunKeys } from './keys/runKeys';
import { Report } from './report';
import { readRunOptions } from './runOptions';
import { Sender, type Job } from './sender';
import type { WorkflowError } from './subWorkflow';
import { checkCanWait, refuseParallelCall, waitForAnswer } from './waiting';

/**
 * Items read ahead of their turn, per request that may be under way. More would let more numbers with
 * several messages each go in parallel, and leave more claimed keys in doubt after a crash.
 */
const lookahead = 2;

/** Shared by all executions: one may be sending what another one is asked to send. */
const lanes = new Lanes();

let runs = 0;

/**
 * Runs one operation over all input items: `maxConcurrency` at a time, messages to one number in
 * input order, output in input order. After a question, the execution waits for the answer.
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
	const itemCount = context.getInputData().length;
	const { uncertainty } = operation;
	const journal = uncertainty && new Journal(context, uncertainty);
	const report = new Report(context, itemCount, journal);
	try {
		if (operation.waits) checkCanWait(context, operation);
		await new Run(context, operation, await Accounts.of(context), report, journal).all();
	} catch (error) {
		for (let index = 0; index < itemCount; index++) {
			const before = journal?.findUnread(index);
			if (before) report.set(index, before);
			else report.fail(index, error, 'refused');
			const isFailed = !before && !report.isDryRun(index);
			if (isFailed && !context.continueOnFail()) break; // the first stops the node
		}
	}
	journal?.unvisited(report.results).forEach(([index, before]) => report.set(index, before));
	journal?.end(report.hasFailed);
	const outputs = report.outputs();
	if (report.question) await waitForAnswer(context, report.question);
	return outputs;
}

/** One run: reads the items in order, and takes each through its checks to the sender. */
class Run {
	private readonly id = ++runs;
	private readonly abort: Abort;
	private readonly itemCount: number;
	private readonly places: Pool;
	private readonly ahead: Pool;
	private readonly entered: Entered;
	private readonly keys: RunKeys;
	private readonly dryRunKeys: DryRunKeys;
	private readonly doNotContact: DoNotContactList | undefined;
	private readonly sender: Sender;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly accounts: Accounts,
		private readonly report: Report,
		private readonly journal: Journal | undefined,
	) {
		const options = readRunOptions(context);
		const { maxConcurrency, keyWorkflow, contactWorkflow } = options;
		this.abort = report.abort;
		this.entered = new Entered(context);
		this.itemCount = context.getInputData().length;
		this.places = new Pool(Math.min(maxConcurrency, this.itemCount));
		this.ahead = new Pool(this.places.size * lookahead);
		this.keys = new RunKeys(context, keyWorkflow, this.places, this.ahead, this.abort);
		this.dryRunKeys = new DryRunKeys(this.keys);
		this.doNotContact =
			contactWorkflow && new DoNotContactList(context, contactWorkflow, this.places, this.ahead);
		this.sender = new Sender(context, operation, options, this.places, this.keys, report, journal);
	}

	/** @throws NodeOperationError when another execution has already gone on with this run */
	async all(): Promise<void> {
		const cancel = this.context.getExecutionCancelSignal();
		const onCancel = () => this.abort.stop();
		cancel?.addEventListener('abort', onCancel);
		if (cancel?.aborted) onCancel();
		try {
			await this.processAll();
		} finally {
			await this.keys.close();
			cancel?.removeEventListener('abort', onCancel);
		}
		if (cancel?.aborted) this.context.logger.warn(...this.report.stopLog());
	}

	/** Items are read ahead of their turn, so that the next one is ready when a request is over. */
	private async processAll(): Promise<void> {
		for (let index = 0; index < this.itemCount && !this.abort.isStopped; index++) {
			const room = this.ahead.enter();
			this.keys.noteReading();
			await room;
			// Reading keeps n8n's thread busy: answers come first, since each frees a place.
			if (this.places.isFull) await sleep(0);
			const job = await this.prepare(index);
			if (!this.report.isDryRun(index)) await this.takeOver();
			const done = job ? this.enqueue(job) : Promise.resolve();
			void done.then(() => this.ahead.leave());
		}
		this.keys.finish();
		await this.ahead.drain();
	}

	/** n8n can retry a failed execution any number of times, but only one retry may go on with it. */
	private async takeOver(): Promise<void> {
		const inherited = this.journal?.inherited;
		if (!inherited) return;
		this.keys.finish();
		const node = ownedBy(this.context.getNode());
		const key = `n8n retry of ${inherited}`;
		await lanes.run([this.keys.laneOf(key)], async () => {
			const claim = await this.ask(node, this.keys, 'claim', { key, recipient: '' });
			if (claim !== 'fresh') throw node.invalid(...notRepeated.retriedBefore);
		});
		this.journal?.inherit();
	}

	/** @throws NodeOperationError when the store cannot say what the key was until now */
	private async ask(owner: Owner, keys: RunKeys | DryRunKeys, how: 'claim' | 'read', key: Key) {
		return await keys.ask(how, key).catch((error: StoreError) => {
			throw owner.invalid(...notSent.notClaimed(error, this.keys.store));
		});
	}

	/** Reads an item's values; items are read one at a time. */
	private async prepare(index: number): Promise<Job | undefined> {
		try {
			const account = await this.accounts.forItem(index);
			const item = new Item(this.context, account.client, index, this.entered);
			const dryRun = this.operation.dryRun?.(item);
			if (dryRun) this.report.startDryRun(index, dryRun);
			const request = await this.operation.request(item);
			this.report.preview(index, request.preview);
			this.checkGuarded(item, request);
			const maxRetries = maxRetriesOption.read(item);
			return { item, account, request, maxRetries, timeoutMs: timeoutOption.read(item) };
		} catch (error) {
			const before = this.journalOf(index)?.findUnread(index);
			if (before) this.report.set(index, before);
			else this.report.fail(index, error, 'refused');
			return undefined;
		}
	}

	/** A dry run is not affected by earlier tries, and leaves nothing for later ones. */
	private journalOf(index: number): Journal | undefined {
		return this.report.isDryRun(index) ? undefined : this.journal;
	}

	/**
	 * @throws NodeOperationError when this execution's keys would push each other out of the store, or
	 * when n8n repeats a run without keys and without a record of what was sent
	 */
	private checkGuarded(item: Item, { deduplicationKey }: ItemRequest): void {
		const { keys, itemCount } = this;
		if (deduplicationKey) {
			const count = keys.countWith(itemCount);
			if (count > keys.store.capacity) throw item.invalid(...notSent.tooMany(count, keys.store));
		} else if (itemCount > 1 && this.journalOf(item.index)?.isForgotten) {
			throw item.invalid(...notRepeated.forgotten(itemCount));
		}
	}

	/** Processes a job once its turn comes among those with the same number or key. */
	private async enqueue(job: Job): Promise<void> {
		const { recipient, deduplicationKey } = job.request;
		const names = [
			...(recipient ? [`${this.id} to ${recipient}`] : []),
			...(deduplicationKey ? [this.keys.laneOf(deduplicationKey)] : []),
		];
		await lanes.run(names, async () => await this.process(job), this.abort.stopped);
	}

	/** Never rejects: anything that goes wrong with an item is reported as that item's error. */
	private async process(job: Job): Promise<void> {
		const { index } = job.item;
		if (this.abort.isStopped) return;
		try {
			const before = this.journalOf(index)?.find(index, job.request);
			if (before === 'changed') {
				this.report.fail(index, job.item.invalid(...notRepeated.changed), 'refused', false);
			} else if (before) this.report.set(index, before);
			else await this.sendIfDue(job);
		} catch (error) {
			this.report.fail(index, error, job.leaving ? 'unknown' : 'refused');
		}
	}

	/** Claims no key for a message that may not leave now. */
	private async sendIfDue(job: Job): Promise<void> {
		const { deduplicationKey, share } = job.request;
		if (!this.sender.dueNow(job)) job.withhold!();
		else if (deduplicationKey) await this.sendOnce(job, deduplicationKey);
		else if (share) await this.sendShared(job);
		else if (await this.mayContact(job)) await this.sender.send(job);
	}

	/** Sends unless the key was used before; never when it is unknown whether it was sent. */
	private async sendOnce(job: Job, key: string): Promise<void> {
		const { item, request, timeoutMs } = job;
		const named: Key = { key, recipient: request.recipient ?? '', timeoutMs };
		const keys = this.report.isDryRun(item.index) ? this.dryRunKeys : this.keys;
		const isFresh = async (how: 'read' | 'claim') => {
			const claim = await this.ask(item, keys, how, named);
			this.report.preview(item.index, { deduplication: deduplicationOf(claim) });
			if (claim !== 'fresh') this.reportKnown(item, key, claim);
			return claim === 'fresh';
		};
		// What was sent before needs no permission, and without permission the key stays free.
		if (this.doNotContact && !((await isFresh('read')) && (await this.mayContact(job)))) return;
		if (!(await isFresh('claim'))) return;
		const outcome = await this.sender.send(job);
		if (outcome?.kind === 'unknown') return; // the claim is never ended: its key stays in doubt
		const ending = outcome?.kind === 'accepted' ? 'accepted' : 'released';
		keys.end({ ...named, ending });
	}

	/** Reports a key that was used before. One in doubt does not stop the other items. */
	private reportKnown(item: Item, key: string, claim: KnownClaim): void {
		const { index } = item;
		const quoted = item.quote(key);
		if (claim === 'accepted') {
			this.report.set(index, { kind: 'skipped', output: [skipped(key)] });
		} else if (claim === 'unanswered') {
			const { check } = this.operation.uncertainty ?? {};
			this.report.fail(index, item.invalid(...notSent.unanswered(quoted, check)), 'unknown', false);
		} else this.report.fail(index, item.invalid(...notSent.elsewhere(quoted)), 'refused');
	}

	/** Whether the number may be contacted; if not, that is reported. Also false after a stop. */
	private async mayContact({ item, request }: Job): Promise<boolean> {
		if (!this.doNotContact) return true;
		const asked = this.doNotContact
			.allows(request.recipient ?? '')
			.catch((error: WorkflowError) => {
				throw item.invalid(...notSent.notAllowedYet(error));
			});
		const isAllowed = await Promise.race([asked, this.abort.stopped]);
		if (this.abort.isStopped) return false;
		if (!isAllowed) this.report.set(item.index, { kind: 'withheld', output: [blocked] });
		return isAllowed === true;
	}

	/** The first of the items with the same question sends it; the others wait for its answer. */
	private async sendShared(job: Job): Promise<void> {
		const { method, path, query } = job.request;
		const asked = JSON.stringify([method, path, query]);
		const { shared } = job.account;
		const underWay = shared.get(asked);
		if (!underWay) {
			const sending = this.sender.send(job);
			shared.set(asked, sending);
			await sending;
			return;
		}
		const outcome = await underWay;
		if (outcome && !this.abort.isStopped) this.sender.settle(job, outcome);
	}
}
