/** What n8n does with executions of a node: tries, Stop, Retry, crashes of its processes. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../../nodes/send/operation';
import { credential, makeContext } from '../../tools/shared/context';
import { onceBy } from '../../tools/shared/deduplication';
import { DeduplicationStore } from '../../tools/shared/deduplicationStore';
import { Law, type Message, type Reported, type Run, type Sent } from './law';
import {
	ContactList,
	Database,
	Service,
	type AnswerName,
	type Fault,
	type Limit,
	type ListAnswer,
	type Outage,
} from './service';
import { Process, type World } from './world';

/** A planned execution of the node. */
export interface Plan {
	/** Whether it starts only after the previous one and its retries have ended. */
	isLater: boolean;
	process: number;
	messages: Array<Message & { unreadable?: 'at first' | 'later' }>;
	/** Whether sending its messages twice does no harm. */
	isIdempotent: boolean;
	continueOnFail: boolean;
	retryOnFail: boolean;
	maxConcurrency: number;
	maxRetries: number;
	/** What happens to its messages from noon on; null: they may leave at any time. */
	outside: string | null;
	/** Whether a workflow says which numbers may be contacted. */
	asksList: boolean;
	/** Turns of the world after which somebody presses Stop. */
	stopAfter?: number;
	/** Turns after which the workflow times out. */
	timeOutAfter?: number;
	/** Turns after which somebody presses Retry while it runs, as one that was cut off seems to. */
	retryAfter?: number;
	/** Whether n8n saves the node's context then; 2.40 does not. */
	savesAtStop: boolean;
	/** How often Retry is pressed if it does not end well; one time fewer for each retry. */
	retries: number;
}

export interface Scenario {
	store: 'n8n' | 'workflow';
	plans: Plan[];
	/** Turns of the world at which a process dies and is replaced. */
	crashes: number[];
	answers: AnswerName[];
	limit: Limit | null;
	outage: Outage | null;
	faults: Fault[];
	/** Whether n8n (1.x) does not say when an execution began. */
	isOld: boolean;
	/** The number that must not be contacted. */
	blocked: string;
	listAnswers: ListAnswer[];
}

type Execution = Plan &
	Pick<Run, 'cancel' | 'chain' | 'sent'> & {
		id: number;
		on: Process;
		/** n8n's context of the node. */
		context: IDataObject;
		/** The execution that it retries. */
		from?: Saved;
		hasTimedOut: boolean;
	};

/** What n8n saved of an execution. */
interface Saved extends Pick<Execution, 'chain' | 'context' | 'sent'> {
	by: 'crash' | 'end' | 'stop';
}

/** How often each thing happened, in all worlds. */
export const figures = {
	worlds: 0,
	requests: 0,
	accepted: 0,
	skipped: 0,
	withheld: 0,
	scheduled: 0,
	'in doubt': 0,
	'not started': 0,
	'not tried in an outage': 0,
	probes: 0,
	'tried again on fail': 0,
	retries: 0,
	stops: 0,
	'timed out': 0,
	'retried early': 0,
	crashes: 0,
	'without an answer of the list': 0,
	waits: 0,
};

/** The end of the sending hours, and their next start as a request has it. */
const noon = Date.parse('2026-11-23T12:00:00Z');
const nextMorning = ['2026-11-24 06:00:00', '2026-11-24T09:00:00Z']; // as SMS in São Paulo, and as media

const untilNoon = { values: [{ to: '12:00' }] };

export class N8n {
	readonly law: Law;
	/** How many executions have neither ended nor crashed. */
	open = 0;
	private executions = 0;
	private readonly processes: Process[] = [];
	private readonly service: Service;
	private readonly database: Database;
	private readonly list: ContactList;
	private readonly rows = new Map<string, string>();

	constructor(
		private readonly world: World,
		private readonly scenario: Scenario,
	) {
		const { plans, crashes, answers, limit, outage, faults, listAnswers, blocked } = scenario;
		this.service = new Service(world, [...answers], limit, outage);
		const isUndisturbed = crashes.length === 0 && faults.every((fault) => fault === 'none');
		const isOnlyLimit =
			limit !== null && outage === null && answers.every((answer) => answer === 'yes');
		this.law = new Law(
			() => world.now,
			isUndisturbed,
			isOnlyLimit ? this.service.isLimited : undefined,
		);
		this.database = new Database(world, [...faults]);
		this.list = new ContactList([...listAnswers], blocked);
		let before: Promise<void> | undefined;
		for (const plan of plans) {
			before = plan.isLater && before ? before.then(() => this.execute(plan)) : this.execute(plan);
		}
		crashes.forEach((turns, index) => {
			world.after(turns, () => {
				this.processes[index % 2]?.die();
				delete this.processes[index % 2];
			});
		});
	}

	private async execute(plan: Plan, from?: Saved): Promise<void> {
		this.open++;
		await this.world.turn('start');
		if (from) figures.retries++;
		const id = ++this.executions;
		const execution: Execution = {
			...plan,
			id,
			on: (this.processes[plan.process] ??= new Process(this.world)),
			chain: from ? from.chain : id,
			context: copy(from?.context ?? {}),
			sent: new Map(from?.sent),
			cancel: new AbortController(),
			from,
			hasTimedOut: false,
		};
		const crash = save(execution, 'crash'); // its state at the start
		const crashed = execution.on.died.then(() => crash);
		const ended = this.tryOften(execution).then((hasFailed) =>
			hasFailed ? save(execution, 'end') : undefined,
		);
		let isOpen = true;
		this.world.after(plan.timeOutAfter ?? Infinity, () => {
			if (isOpen) this.timeOut(execution);
		});
		this.world.after(plan.retryAfter ?? Infinity, () => {
			if (isOpen) figures['retried early']++;
			if (isOpen) void this.execute({ ...plan, retries: 0, retryAfter: undefined }, crash);
		});
		const saved = await Promise.race([ended, crashed, this.stop(execution)]);
		isOpen = false;
		if (saved?.by === 'crash') figures.crashes++;
		if (saved?.by === 'stop') figures.stops++;
		const presses = Array.from({ length: saved ? plan.retries : 0 }, async () => {
			await this.execute({ ...plan, retries: plan.retries - 1 }, saved);
		});
		await Promise.race([ended, crashed]);
		this.open--;
		await Promise.all(presses);
	}

	/** n8n then waits for the node, and saves its context and its output. */
	private timeOut(execution: Execution): void {
		if (execution.cancel.signal.aborted) return;
		figures['timed out']++;
		execution.hasTimedOut = true;
		execution.cancel.abort();
	}

	/** What is saved at the moment of a stop; what the node does afterwards is lost. */
	private async stop(execution: Execution): Promise<Saved> {
		return await new Promise((resolve) => {
			this.world.after(execution.stopAfter ?? Infinity, () => {
				execution.cancel.abort();
				const forgotten = { context: {}, sent: new Map<number, Sent>() };
				const known = execution.savesAtStop ? {} : forgotten;
				resolve(save({ ...execution, ...known }, 'stop'));
			});
		});
	}

	/** @returns whether the node has thrown; only then n8n saves it as what a Retry begins with */
	private async tryOften(execution: Execution): Promise<boolean> {
		const { cancel, on, retryOnFail, from } = execution;
		let ended = await this.try(execution, from === undefined);
		if (ended.hasFailed && retryOnFail && !cancel.signal.aborted) {
			figures['tried again on fail']++;
			await on.turn('between tries');
			ended = await this.try(execution, false);
		}
		return !ended.isWhole;
	}

	/** @returns whether 'Retry On Fail' tries again, and whether there is an output */
	private async try(execution: Execution, isFirst: boolean) {
		const { on, cancel, isIdempotent } = execution;
		const { runOperation, sendMedia, sendSms } = on.code;
		const send = execution.messages[0]!.channel === 'sms' ? sendSms : sendMedia;
		const operation: Operation = isIdempotent
			? { ...send, idempotent: true, uncertainty: undefined }
			: send;
		const now = isFirst ? 'at first' : 'later';
		const unreadable = execution.messages.map((message) => message.unreadable === now);
		const run = this.law.begins({ ...execution, unreadable }, isFirst);
		const context = this.contextOf(execution, run);
		const { reported, isWhole } = await runOperation(context, operation).then(
			(output) => ({ reported: readOutput(output), isWhole: true }),
			(error: NodeError) => ({ reported: readError(error), isWhole: false }),
		);
		for (const { kind, message = '' } of reported.values()) {
			if (message.includes('do-not-contact')) figures['without an answer of the list']++;
			if (kind === 'skipped' || kind === 'withheld') figures[kind]++;
			if (kind === 'unknown') figures['in doubt']++;
			if (kind === 'notStarted') figures['not started']++;
			if (message.endsWith('so this item was not tried')) figures['not tried in an outage']++;
		}
		const isStopped = cancel.signal.aborted && !execution.hasTimedOut;
		this.law.ends(run, reported, { isWhole, continues: execution.continueOnFail, isStopped });
		const isFailure = ({ kind }: Reported) => ['refused', 'unknown', 'notStarted'].includes(kind);
		return { isWhole, hasFailed: [...reported.values()].some(isFailure) };
	}

	private contextOf(plan: Execution, run: Run) {
		const { law } = this;
		const { id, on, context, cancel, from, messages, outside, retryOnFail, continueOnFail } = plan;
		/** What is not among the node's options is not read from an item's. */
		const options = {
			...(messages[0]!.key && onceBy('={{ $json.key }}')),
			...(outside && { sendBetween: '={{ $json.hours }}' }),
		};
		const values = { windows: untilNoon, timezone: 'UTC', outside };
		const hours = outside && { sendBetween: { values } };
		/** Numbers that the list has allowed. */
		const allowed = new Set<unknown>();
		const made = makeContext({
			items: messages.map(({ to, key = '', isPerNumber }, item) => ({
				to: run.unreadable[item] ? '' : to,
				...{ text: String(item), caption: String(item) },
				...{ mediaSource: 'url', mediaUrl: 'https://files.example/a.png', mediaType: 'image' },
				options: { ...hours, ...(key && onceBy(key, isPerNumber ? 'keyAndNumber' : 'key')) },
			})),
			node: { retryOnFail },
			parameters: { options },
			continueOnFail,
			deduplication: new DeduplicationStore(
				async () => await this.database.query(on),
				this.rows,
			).helpers(),
			http: async ({ apiKey }, { body, abortSignal }) => {
				figures.requests++;
				const { message = body } = body as IDataObject;
				const { msg, to, schedule, scheduled_at } = message as IDataObject;
				const time = schedule ?? scheduled_at;
				const isInTime = !outside || this.world.now < noon || nextMorning.includes(String(time));
				if (time) figures.scheduled++;
				const isAllowed = !plan.asksList || allowed.has(`+${String(to)}`);
				const item = Number(msg);
				const { channel } = messages[item]!;
				const restMs = channel === 'sms' ? Infinity : this.world.now - on.pacedAt;
				if (channel === 'chatApp') on.pacedAt = this.world.now;
				const sent = this.law.leaves(run, item, apiKey, isInTime, isAllowed, restMs);
				if (sent.isProbe) figures.probes++;
				abortSignal?.addEventListener?.('abort', () => {
					if (sent.known) return;
					sent.known = 'unknown';
					on.afterNextSleep(() => sent.tell('loss')); // only then its error shows how far it got
				});
				return await this.service.take(on, messages[item]!, sent, () => {
					figures.accepted++;
					this.law.accepts(run, sent);
				});
			},
		});
		return Object.assign(made, {
			logger: {
				warn(text: string, { items }: { items: Array<{ item: number }> }) {
					if (!text.startsWith('The execution was stopped')) return;
					const logged = items.map(({ item }) => item);
					law.logs(run, logged);
				},
			},
			getCredentials: async (_: string, item: number) => ({
				...credential,
				chatAppPause: '1-3',
				maxConcurrency: plan.maxConcurrency,
				maxRetries: plan.maxRetries,
				deduplicationWorkflowId: this.scenario.store === 'workflow' ? 'keys' : '',
				doNotContactWorkflowId: plan.asksList ? 'contacts' : '',
				apiKey: (messages[item] ?? messages[0]!).account, // past the end, as for most
			}),
			getContext: () => context,
			getExecutionId: () => String(id),
			getMode: () => (from ? 'retry' : 'trigger'),
			getExecutionCancelSignal: () => cancel.signal,
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
			...(this.scenario.isOld ? {} : { getExecutionContext: () => ({ establishedAt: run.chain }) }),
			executeWorkflow: async (of: { id: string }, items: INodeExecutionData[]) => {
				const { list, database } = this;
				const isList = of.id === 'contacts';
				const answer = await (isList ? list.call(on, items, allowed) : database.call(on, items));
				if (answer.waitTill) run.isWaiting = true; // n8n puts the caller to wait, too
				return answer;
			},
			putExecutionToWait: async (till?: Date) => void (run.isWaiting = till !== undefined),
		}) as unknown as IExecuteFunctions;
	}
}

const copy = (context: IDataObject) => JSON.parse(JSON.stringify(context)) as IDataObject;

const save = ({ chain, context, sent }: Execution, by: Saved['by']): Saved => ({
	by,
	chain,
	context: copy(context),
	sent: new Map(sent),
});

function readOutput([items = []]: INodeExecutionData[][]): Map<number, Reported> {
	const reported = items.map(({ json: { error, reason }, pairedItem }): [number, Reported] => {
		const { outcome, message } = (error ?? {}) as { outcome?: Reported['kind']; message?: string };
		const notSent = reason === 'duplicate' ? 'skipped' : 'withheld';
		const kind = outcome ?? (reason === undefined ? 'accepted' : notSent);
		return [(pairedItem as { item: number }).item, { kind, message }];
	});
	return new Map(reported);
}

interface NodeError extends Error {
	context: {
		itemIndex?: number;
		data?: { items: Array<{ item: number; outcome: Reported['kind']; message?: string }> };
	};
}

/** The error of a list names each item once; that of one item has no list. */
function readError({ message, context: { itemIndex = 0, data } }: NodeError) {
	if (data) {
		return new Map(
			data.items.map(({ item, outcome, ...row }): [number, Reported] => [
				item,
				{ kind: outcome, message: row.message },
			]),
		);
	}
	const kind = message.includes('may have been sent') ? 'unknown' : 'refused';
	return new Map<number, Reported>([[itemIndex, { kind, message }]]);
}
