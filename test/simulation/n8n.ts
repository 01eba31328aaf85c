/** What n8n does with executions of a node: tries, Stop, Retry, crashes of its processes. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../../nodes/MessagingGateway/operation';
import { makeContext } from '../../tools/shared/context';
import { DeduplicationStore } from '../../tools/shared/deduplicationStore';
import { Law, type Message, type Reported, type Run, type Sent } from './law';
import { Database, Service, type AnswerName, type Fault } from './service';
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
	/** Turns of the world after which somebody presses Stop. */
	stopAfter?: number;
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
	faults: Fault[];
}

type Execution = Plan &
	Pick<Run, 'cancel' | 'chain' | 'sent'> & {
		id: number;
		on: Process;
		/** n8n's context of the node. */
		context: IDataObject;
		/** The execution that it retries. */
		from?: Saved;
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
	'tried again on fail': 0,
	retries: 0,
	stops: 0,
	crashes: 0,
	waits: 0,
};

/** The end of the sending hours, and their next start as a request has it. */
const noon = Date.parse('2026-11-23T12:00:00Z');
const nextMorning = '2026-11-24 06:00:00'; // in São Paulo, which is 09:00 in UTC

const untilNoon = { values: [{ to: '12:00' }] };

export class N8n {
	readonly law: Law;

	/** How many executions have neither ended nor crashed. */
	open = 0;

	private executions = 0;

	private readonly processes: Process[] = [];

	private readonly service: Service;

	private readonly database: Database;

	private readonly rows = new Map<string, string>();

	constructor(
		private readonly world: World,
		private readonly scenario: Scenario,
	) {
		const { plans, crashes, answers, faults } = scenario;
		this.law = new Law(crashes.length === 0 && faults.every((fault) => fault === 'none'));
		this.service = new Service(world, [...answers]);
		this.database = new Database(world, [...faults]);
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
		};
		const crash = save(execution, 'crash'); // its state at the start
		const crashed = execution.on.died.then(() => crash);
		const ended = this.tryOften(execution).then((hasFailed) =>
			hasFailed ? save(execution, 'end') : undefined,
		);
		const saved = await Promise.race([ended, crashed, this.stop(execution)]);
		if (saved?.by === 'crash') figures.crashes++;
		if (saved?.by === 'stop') figures.stops++;
		const presses = Array.from({ length: saved ? plan.retries : 0 }, async () => {
			await this.execute({ ...plan, retries: plan.retries - 1 }, saved);
		});
		await Promise.race([ended, crashed]);
		this.open--;
		await Promise.all(presses);
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

	private async tryOften(execution: Execution): Promise<boolean> {
		const { cancel, on, continueOnFail, retryOnFail, from } = execution;
		let hasFailed = await this.try(execution, from === undefined);
		if (hasFailed && retryOnFail && !cancel.signal.aborted) {
			figures['tried again on fail']++;
			await on.turn('between tries');
			hasFailed = await this.try(execution, false);
		}
		return hasFailed && !continueOnFail;
	}

	/** @returns whether n8n counts it as failed */
	private async try(execution: Execution, isFirst: boolean): Promise<boolean> {
		const { on, cancel, isIdempotent } = execution;
		const { runOperation, sendSms } = on.code;
		const operation: Operation = isIdempotent
			? { ...sendSms, idempotent: true, uncertainty: undefined }
			: sendSms;
		const run = this.law.begins(execution, isFirst);
		let log = '';
		const context = this.contextOf(execution, run, isFirst, (text) => (log = text));
		const reported = await runOperation(context, operation).then(readOutput, readError);
		for (const { kind } of reported.values()) {
			if (kind === 'skipped') figures.skipped++;
			if (kind === 'withheld') figures.withheld++;
			if (kind === 'unknown') figures['in doubt']++;
		}
		this.law.ends(run, reported, cancel.signal.aborted ? log : undefined);
		return [...reported.values()].some(({ kind }) => kind === 'refused' || kind === 'unknown');
	}

	private contextOf(plan: Execution, run: Run, isFirst: boolean, warn: (text: string) => void) {
		const { id, on, context, cancel, from, messages, outside, retryOnFail, continueOnFail } = plan;
		const made = makeContext({
			items: messages.map(({ to, key = '', isPerNumber, unreadable }, item) => ({
				to: unreadable === (isFirst ? 'at first' : 'later') ? '' : to,
				text: String(item),
				smsType: '1',
				simplify: true,
				options: {
					maxConcurrency: plan.maxConcurrency,
					maxRetries: plan.maxRetries,
					...(outside && {
						sendBetween: { values: { windows: untilNoon, timezone: 'UTC', outside } },
					}),
					...(key && { deduplicationKey: key }),
					deduplicationScope: isPerNumber ? 'keyAndNumber' : 'key',
					deduplicationStore: this.scenario.store,
					deduplicationWorkflow: 'keys',
				},
			})),
			node: { retryOnFail },
			parameters: messages[0]!.key ? { options: { deduplicationKey: '={{ $json.key }}' } } : {},
			continueOnFail,
			deduplication: new DeduplicationStore(
				async () => await this.database.query(on),
				this.rows,
			).helpers(),
			http: async (_, { body, abortSignal }) => {
				figures.requests++;
				const { msg, schedule } = body as IDataObject;
				const isInTime = !outside || this.world.now < noon || schedule === nextMorning;
				if (schedule) figures.scheduled++;
				const sent = this.law.leaves(run, Number(msg), isInTime);
				abortSignal?.addEventListener?.('abort', () => (sent.known ??= 'unknown'));
				return await this.service.take(on, sent, () => {
					figures.accepted++;
					this.law.accepts(run, sent);
				});
			},
		});
		return Object.assign(made, {
			logger: { warn },
			getContext: () => context,
			getExecutionId: () => String(id),
			getMode: () => (from ? 'retry' : 'trigger'),
			getExecutionCancelSignal: () => cancel.signal,
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
			executeWorkflow: async (_: unknown, items: INodeExecutionData[]) =>
				await this.database.call(on, items),
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
	const reported = items.map(
		({ json: { error, skipped, deduplicationKey }, pairedItem }): [number, Reported] => {
			const { outcome, message } = (error ?? {}) as {
				outcome?: Reported['kind'];
				message?: string;
			};
			const notSent = deduplicationKey === undefined ? 'withheld' : 'skipped';
			const kind = outcome ?? (skipped ? notSent : 'accepted');
			return [(pairedItem as { item: number }).item, { kind, message }];
		},
	);
	return new Map(reported);
}

interface NodeError extends Error {
	context: {
		itemIndex?: number;
		data?: Record<
			'accepted' | 'failed',
			Array<{ item: number; outcome: Reported['kind']; error: string }>
		>;
	};
}

/** The item that an error is about is in none of its lists. */
function readError({ message, context: { itemIndex, data } }: NodeError): Map<number, Reported> {
	const reported = new Map<number, Reported>();
	data?.accepted.forEach(({ item }) => reported.set(item, { kind: 'accepted' }));
	data?.failed.forEach(({ item, outcome, error }) =>
		reported.set(item, { kind: outcome, message: error }),
	);
	let item = itemIndex ?? 0;
	while (reported.has(item)) item++;
	const kind = message.startsWith('The message may have been sent') ? 'unknown' : 'refused';
	return reported.set(item, { kind, message });
}
