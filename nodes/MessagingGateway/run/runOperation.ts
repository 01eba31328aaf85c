import { sleep } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';

import { toNodeApiError } from '../../gateway/errors';
import { Abort } from '../../gateway/pacing/abort';
import { messageIdOf } from '../../gateway/endpoints/messages';
import type { NotAccepted, Outcome } from '../../gateway/outcome';
import { ownedBy, type Owner } from '../../gateway/owner';
import type { GatewayRequest } from '../../gateway/request';
import { withRetries } from '../../gateway/pacing/retry';
import { withHint } from '../../text/sentence';
import { adviceFor } from '../form';
import { maxRetriesOption, timeoutOption } from '../../form/fields/runOptions';
import { Item, Literals } from '../../form/item';
import type { ItemRequest, Operation } from '../operation';
import { Accounts, type Account } from './accounts';
import type { WorkflowError } from './askedWorkflow';
import { Lanes, Pool } from './concurrency';
import { Contacts } from './contacts';
import { deduplicationOf } from './dryRun';
import { asStopped, blocked, notRepeated, notSent, skipped } from './explain';
import { Journal } from './journal';
import type { Key, KnownClaim, StoreError } from './keys/keyStore';
import { RunKeys } from './keys/runKeys';
import { TriedKeys } from './keys/triedKeys';
import { Report } from './report';
import type { Failed } from './result';
import { readRunOptions, type RunOptions } from './runOptions';
import { checkCanWait, refuseParallelCall, waitForAnswer } from './waiting';

/**
 * Items under way and read ahead of their turn, per place in the pool. More would let more numbers
 * with several messages in a row go side by side, and leave more claimed keys in doubt after a crash.
 */
const lookahead = 2;

/** Of all executions: one may be sending what another one is asked to send. */
const lanes = new Lanes();

let runs = 0;

type Sent = Exclude<Outcome, { kind: 'refused' }>;

/** An item whose values are read and can be sent. */
interface Job {
	item: Item;
	account: Account;
	request: ItemRequest;
	maxRetries: number;
	timeoutMs: number;
	/** The request as it has left, or is about to. */
	leaving?: ItemRequest;
	/** Reports that it does not leave any more. */
	withhold?: () => void;
}

/**
 * Runs one operation over all input items: `maxConcurrency` at a time, messages to one number in
 * input order, output in input order. After a question, the execution waits for the answer.
 *
 * @throws NodeApiError or NodeOperationError of the item that ended the run, else of the first that
 * failed, unless the node continues on fail; its description names what was accepted
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const notAsked = operation.waits && refuseParallelCall(context);
	if (notAsked) return [[{ json: notAsked, pairedItem: { item: 0 } }]];
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
			else report.fail(index, error, 'refused', true);
			if (!before && !context.continueOnFail()) break; // the first stops the node
		}
	}
	journal?.unvisited(report.results).forEach(([index, before]) => report.set(index, before));
	journal?.end(report.hasFailed);
	const outputs = report.outputs();
	if (report.question) await waitForAnswer(context, report.question);
	return outputs;
}

class Run {
	private readonly id = ++runs;

	/** Ends waits and stops new requests: the execution was cancelled, or an item failed. */
	private readonly abort = new Abort();

	private readonly itemCount: number;
	private readonly places: Pool;
	private readonly ahead: Pool;
	private readonly literals: Literals;
	private readonly options: RunOptions;
	private readonly keys: RunKeys;
	private readonly triedKeys: TriedKeys;
	private readonly contacts: Contacts | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly accounts: Accounts,
		private readonly report: Report,
		private readonly journal: Journal | undefined,
	) {
		this.options = readRunOptions(context);
		const { maxConcurrency, keyWorkflow, contactWorkflow } = this.options;
		this.literals = new Literals(context);
		this.itemCount = context.getInputData().length;
		this.places = new Pool(Math.min(maxConcurrency, this.itemCount));
		this.ahead = new Pool(this.places.size * lookahead);
		this.keys = new RunKeys(context, keyWorkflow, this.places, this.ahead, this.abort);
		this.triedKeys = new TriedKeys(this.keys);
		this.contacts =
			contactWorkflow && new Contacts(context, contactWorkflow, this.places, this.ahead);
	}

	/** @throws NodeOperationError when another execution has gone on with this run already */
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
		if (cancel?.aborted) this.context.logger.warn(...this.report.asStopped());
	}

	/** Items are read ahead of their turn, so that the next one is ready when a request is over. */
	private async processAll(): Promise<void> {
		for (let index = 0; index < this.itemCount && !this.abort.isStopped; index++) {
			const room = this.ahead.enter();
			this.keys.noteReading();
			await room;
			// Reading keeps n8n's thread busy: answers come first, since each makes room for a request.
			if (this.places.isFull) await sleep(0);
			const job = await this.prepare(index);
			if (!this.report.isDryRun(index)) await this.inherit();
			const done = job ? this.enqueue(job) : Promise.resolve();
			void done.then(() => this.ahead.leave());
		}
		this.keys.finish();
		await this.ahead.drain();
	}

	/** A failed execution can be retried any number of times, what it left be carried out once. */
	private async inherit(): Promise<void> {
		const inherited = this.journal?.inherited;
		if (!inherited) return;
		this.keys.finish();
		const node = ownedBy(this.context.getNode());
		const key = `n8n retry of ${inherited}`;
		await lanes.run([this.keys.laneOf(key)], async () => {
			const claim = await this.ask(node, async () => await this.keys.claim({ key, recipient: '' }));
			if (claim !== 'fresh') throw node.invalid(...notRepeated.retriedBefore);
		});
		this.journal?.inherit();
	}

	/** @throws NodeOperationError when nobody knows what the key was until now */
	private async ask(
		owner: Owner,
		ask: () => Promise<'fresh' | KnownClaim>,
	): Promise<'fresh' | KnownClaim> {
		return await ask().catch((error: StoreError) => {
			throw owner.invalid(...notSent.notClaimed(error, this.keys.store));
		});
	}

	/** Reads an item's values. Items are read in input order, one at a time. */
	private async prepare(index: number): Promise<Job | undefined> {
		try {
			const account = await this.accounts.forItem(index);
			const item = new Item(this.context, account.client, index, this.literals);
			const dryRun = this.operation.dryRun?.(item);
			if (dryRun) this.report.startDryRun(index, dryRun);
			const request = await this.operation.request(item);
			this.report.preview(index, request.preview);
			if (request.deduplicationKey) this.checkCapacity(item);
			else this.checkRemembered(item);
			return {
				item,
				account,
				request,
				maxRetries: maxRetriesOption.read(item),
				timeoutMs: timeoutOption.read(item),
			};
		} catch (error) {
			const before = this.journalOf(index)?.findUnread(index);
			if (before) this.report.set(index, before);
			else this.fail(index, error, 'refused');
			return undefined;
		}
	}

	/** What is only tried has not been sent before, and leaves nothing to repeat. */
	private journalOf(index: number): Journal | undefined {
		return this.report.isDryRun(index) ? undefined : this.journal;
	}

	/** @throws NodeOperationError when keys of this execution would push each other out of the store */
	private checkCapacity(item: Item): void {
		const { store } = this.keys;
		const count = this.keys.countWith(this.itemCount);
		if (count > store.capacity) throw item.invalid(...notSent.tooMany(count, store));
	}

	/** @throws NodeOperationError where n8n repeats a run of which nobody knows what it has sent */
	private checkRemembered(item: Item): void {
		if (this.itemCount === 1 || !this.journalOf(item.index)?.isForgotten) return;
		throw item.invalid(...notRepeated.forgotten(this.itemCount));
	}

	/** Processes a job in its turn. */
	private async enqueue(job: Job): Promise<void> {
		const { recipient, deduplicationKey } = job.request;
		const names = [
			...(recipient ? [`${this.id} to ${recipient}`] : []),
			...(deduplicationKey ? [this.keys.laneOf(deduplicationKey)] : []),
		];
		await lanes.run(names, async () => await this.process(job), this.abort.stopped);
	}

	/** Never rejects: whatever goes wrong with an item is reported as that item's. */
	private async process(job: Job): Promise<void> {
		const { item, request } = job;
		if (this.abort.isStopped) return;
		try {
			const before = this.journalOf(item.index)?.find(item.index, request);
			if (before === 'changed') {
				const error = item.invalid(...notRepeated.changed);
				this.report.fail(item.index, error, 'refused', false); // without stopping the others
			} else if (before) this.report.set(item.index, before);
			else await this.sendInTime(job);
		} catch (error) {
			this.fail(item.index, error, job.leaving ? 'unknown' : 'refused');
		}
	}

	/** Claims no key for what may not leave. */
	private async sendInTime(job: Job): Promise<void> {
		const { deduplicationKey, share } = job.request;
		const leaving = this.leaving(job);
		if (typeof leaving === 'function') leaving();
		else if (deduplicationKey) await this.sendOnce(job, deduplicationKey);
		else if (share) await this.sendShared(job);
		else if (await this.mayContact(job)) await this.send(job);
	}

	/** Sends unless the job's key was used before; never when it is not known whether it was sent. */
	private async sendOnce(job: Job, key: string): Promise<void> {
		const { item, request, timeoutMs } = job;
		const named: Key = { key, recipient: request.recipient ?? '', timeoutMs };
		const keys = this.report.isDryRun(item.index) ? this.triedKeys : this.keys;
		const isFresh = async (how: 'read' | 'claim') => {
			const claim = await this.ask(item, async () => await keys[how](named));
			this.report.preview(item.index, { deduplication: deduplicationOf(claim) });
			if (claim !== 'fresh') this.settleKnown(item, key, claim);
			return claim === 'fresh';
		};
		// What was sent before needs no permission, and without one, the key stays free.
		if (this.contacts && !((await isFresh('read')) && (await this.mayContact(job)))) return;
		if (!(await isFresh('claim'))) return;
		const outcome = await this.send(job);
		if (outcome?.kind === 'unknown') return; // nothing ends the claim: its key stays in doubt
		const ending = outcome?.kind === 'accepted' ? 'accepted' : 'released';
		keys.end({ ...named, ending });
	}

	/** Whether the number may be written to; where it may not, that is reported. False after a stop, too. */
	private async mayContact({ item, request }: Job): Promise<boolean> {
		if (!this.contacts) return true;
		const asked = this.contacts.allow(request.recipient ?? '').catch((error: WorkflowError) => {
			throw item.invalid(...notSent.notAllowedYet(error));
		});
		const isAllowed = await Promise.race([asked, this.abort.stopped]);
		if (this.abort.isStopped) return false;
		if (!isAllowed) this.report.set(item.index, { kind: 'withheld', output: [blocked] });
		return isAllowed === true;
	}

	/** A key that is known sends nothing; one in doubt does not stop the others either. */
	private settleKnown(item: Item, key: string, claim: KnownClaim): void {
		if (claim === 'accepted') {
			this.report.set(item.index, { kind: 'skipped', output: [skipped(key)] });
		} else if (claim === 'unanswered') {
			const error = item.invalid(
				...notSent.unanswered(item.quote(key), this.operation.uncertainty?.check),
			);
			this.report.fail(item.index, error, 'unknown', false);
		} else {
			this.fail(item.index, item.invalid(...notSent.elsewhere(item.quote(key))), 'refused');
		}
	}

	/** The first item that asks something makes the request; the others wait for its answer. */
	private async sendShared(job: Job): Promise<void> {
		const { method, path, query } = job.request;
		const asked = JSON.stringify([method, path, query]);
		const { shared } = job.account;
		const underWay = shared.get(asked);
		if (!underWay) {
			const sending = this.send(job);
			shared.set(asked, sending);
			await sending;
			return;
		}
		const outcome = await underWay;
		if (outcome && !this.abort.isStopped) this.settle(job, asStopped(outcome));
	}

	/** What may leave of a job now; or, where nothing may, how that is reported. */
	private leaving({ item, request }: Job): ItemRequest | (() => void) {
		try {
			const now = request.at?.(Date.now()) ?? request;
			if (!('withheld' in now)) return now;
			return () => this.report.set(item.index, { kind: 'withheld', output: [now.withheld] });
		} catch (error) {
			return () => this.fail(item.index, error, 'refused');
		}
	}

	/** @returns undefined when the run was aborted before the first attempt, or nothing may leave any more */
	private async send(job: Job): Promise<Outcome | undefined> {
		const { item, maxRetries, timeoutMs } = job;
		const { client, limiter } = job.account;
		if (this.report.isDryRun(item.index)) return this.pretend(job);
		await this.places.enter();
		try {
			const step = async (one: GatewayRequest) => await client.attempt(one, timeoutMs);
			const attempt = async () => {
				const leaving = this.leaving(job);
				if (typeof leaving === 'function') {
					job.withhold = leaving;
					return undefined;
				}
				job.leaving = leaving;
				this.journal?.noteSending(item.index);
				return client.shown(await (leaving.steps?.(step) ?? step(leaving)));
			};
			const outcome = await withRetries(attempt, {
				idempotent: this.operation.idempotent,
				maxRetries,
				limiter,
				most: this.options.requestsPerSecond,
				abort: this.abort,
			});
			if (job.withhold && outcome?.kind !== 'unknown') {
				job.withhold();
				return undefined;
			}
			if (outcome) this.settle(job, asStopped(outcome));
			return outcome;
		} finally {
			this.places.leave(); // after a failure has stopped the run, or the next one would start
			this.keys.noteFree();
		}
	}

	/** Ends where a request would leave, and counts it as accepted. */
	private pretend(job: Job): Outcome | undefined {
		const leaving = this.leaving(job);
		if (typeof leaving === 'function') {
			leaving();
			return undefined;
		}
		this.report.preview(job.item.index, leaving.preview);
		this.report.set(job.item.index, { kind: 'accepted', output: [] });
		return { kind: 'accepted', body: undefined };
	}

	private settle(job: Job, answered: Outcome): void {
		const { item, leaving: request = job.request } = job;
		const outcome = request.share?.(answered) ?? answered;
		if (request.question && outcome.kind !== 'refused' && !this.abort.isStopped) {
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
		if (answer) {
			this.report.set(item.index, { kind: 'accepted', output: [answer] });
			return;
		}
		this.fail(item.index, this.explain(job, outcome), outcome.kind);
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

	/** What became of a message that asks something; one without an answer may have arrived. */
	private describeSent(job: Job, outcome: Sent): IDataObject {
		const { kind } = outcome;
		const body = kind === 'accepted' ? outcome.body : undefined;
		const sent = { ...[job.request.output(body)].flat()[0], outcome: kind };
		if (kind === 'accepted') return sent;
		return { ...sent, hint: withHint(this.explain(job, outcome)) };
	}

	private fail(index: number, error: unknown, kind: Failed['kind']): void {
		this.report.fail(index, error, kind, true);
		if (!this.context.continueOnFail() && !this.report.isDryRun(index)) this.abort.stop();
	}
}
