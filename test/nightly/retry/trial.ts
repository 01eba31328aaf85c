import {
	HostRequestError,
	outputOf,
	type FinishedExecution,
	type WorkflowJson,
} from '../../../tools/host';
import { until } from '../../../tools/host/until';
import { startSandbox, type Sandbox } from '../../../tools/sandbox';
import { onceBy } from '../../../tools/shared/deduplication';
import { chain, gateway, items, startedByPost } from '../../../tools/shared/workflows';
import { numbered, smsToEach } from '../../e2e/support/workflows';
import { begin, type N8n } from './n8n';

export interface Case {
	count: number;
	isKeyed: boolean;
	isProduction: boolean;
	continues?: boolean;
	/** n8n saves the execution after each of its nodes. */
	savesProgress?: boolean;
}

export interface How {
	/** Whether the workflow's time ends half-way. */
	timesOut?: true;
	/** Where another node fails once, seen from the one that sends; without it, this one hangs half-way. */
	failing?: 'before' | 'beside' | 'after';
	/** n8n may store the execution before the node has ended; its Retry then goes on behind the node. */
	mayLeaveOut?: boolean;
}

const atFirst = {
	executions: 1,
	messages: 0,
	'sent at first': 0,
	'sent by a retry': 0,
	'sent twice': 0,
	/** Neither accepted nor reported. */
	unsaid: 0,
	/** Retries in which n8n left the node out, so that it could not say anything. */
	'left out': 0,
};

/** What became of messages. */
export type Figures = typeof atFirst;

const reports = /^The message may have been sent|^This execution has already been retried/;

/** Of a workflow, in seconds. */
const TIMEOUT = 60;

let trials = 0;

/** One execution that sends a list, and its retries. */
export class Trial {
	readonly figures: Figures = { ...atFirst };

	private workflow = '';
	private id = '';

	private constructor(
		private readonly n8n: N8n,
		readonly of: Case,
		private readonly sandbox: Sandbox,
		private readonly rows: Array<{ to: string }>,
	) {
		this.figures.messages = of.count;
	}

	/** Resolves when the execution is half-way, or has ended since another node failed. */
	static async begin(n8n: N8n, of: Case, how: How): Promise<Trial> {
		const trial = new Trial(n8n, of, await startSandbox(), numbered(of.count));
		await trial.run(how);
		return trial;
	}

	/** In queue mode, n8n does not stop what a webhook process has started; so its requests end otherwise. */
	async stop(): Promise<void> {
		await this.n8n.client.cancel(this.id);
		await this.end();
		this.hangUp();
	}

	async end(): Promise<void> {
		await this.n8n.client.waitForExecution(this.id);
	}

	/**
	 * n8n shows it as ended before the node has ended, as a message that has left waits for its answer; 2.x
	 * then stores it once more. A worker of 1.x looks at the time only between nodes.
	 */
	async timeOut(): Promise<void> {
		const late = setTimeout(() => this.hangUp(), 1000 * TIMEOUT + 30_000);
		await this.end();
		clearTimeout(late);
		this.hangUp();
		const isStored = async () =>
			hasRun(await this.n8n.client.waitForExecution(this.id)) || undefined;
		await until('the node has ended', isStored, { limit: 10_000 }).catch(() => {});
	}

	/** Retries the execution, then its retry, and then itself once more. */
	async retry(): Promise<void> {
		const { figures } = this;
		this.sandbox.clearFaults();
		figures['sent at first'] = this.countSent(1);
		const retried = await this.retryOf(this.id);
		if (retried && retried.status !== 'success') await this.retryOf(retried.id);
		if (retried) await this.retryOf(this.id);
		figures['sent by a retry'] = this.countSent(1) - figures['sent at first'];
		figures['sent twice'] = this.countSent(2);
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}

	/** The requests under way have no answer, those that follow have one. */
	private hangUp(): void {
		this.sandbox.clearFaults();
		this.sandbox.hangUp();
	}

	private async run({ timesOut, failing }: How): Promise<void> {
		const { of, sandbox, n8n } = this;
		const half = Math.floor(of.count / 2);
		if (failing) sandbox.fault({ operation: 'getWebhook', times: 1, fault: { status: 400 } });
		else sandbox.fault({ skip: half, fault: { delayMs: 3_600_000 } });
		const workflow = await this.makeWorkflow(failing);
		workflow.settings!.executionTimeout = timesOut ? TIMEOUT : -1;
		workflow.settings!.saveExecutionProgress = of.savesProgress;
		const path = `retry-${++trials}`;
		this.workflow = await n8n.client.createWorkflow(startedByPost(path, 'onReceived', workflow));
		if (of.isProduction) this.id = await begin(n8n, this.workflow, path);
		else this.id = await n8n.client.run(this.workflow);
		if (failing) await this.end();
		else await until('it is half-way', () => sandbox.requests().length > half);
	}

	private async makeWorkflow(failing: How['failing']): Promise<WorkflowJson> {
		const { sandbox, n8n, of, rows } = this;
		const timeout = 3_600_000; // none of its own
		const credential = await n8n.client.createCredential({ ...sandbox.credential, timeout });
		const options = of.isKeyed ? onceBy('={{ $json.to }}') : {};
		const onError = of.continues ? 'continueRegularOutput' : 'stopWorkflow';
		const send = smsToEach(credential, { options }, { onError });
		const other = { ...gateway(credential, 'webhook', 'get'), name: 'Other' };
		const list = items(...rows);
		if (failing === 'before') return chain('Retry', other, ...list, send);
		if (failing === 'after') return chain('Retry', ...list, send, other);
		if (!failing) return chain('Retry', ...list, send);
		const { connections, ...workflow } = chain('Retry', ...list, other, send);
		const { Other, ...rest } = connections;
		rest.Items!.main![0]!.push(...Other!.main![0]!);
		return { ...workflow, connections: rest };
	}

	/** Undefined where n8n refuses it, e.g. because it stored nothing of the execution. */
	private async retryOf(id: string): Promise<FinishedExecution | undefined> {
		const { client } = this.n8n;
		const retried = await client.retry(id).catch((error: unknown) => {
			if (error instanceof HostRequestError) return undefined;
			throw error;
		});
		const shown = await client.waitForExecution(retried ?? id);
		if (!hasRun(shown)) this.figures['left out'] += Number(retried !== undefined);
		else if (outputOf(shown, 'Gateway').length > 0) this.figures.unsaid += this.countUnsaid(shown);
		else if (retried) {
			const { status, error } = shown;
			const message = expect.stringMatching(reports) as string;
			expect({ status, message: error?.message }).toEqual({ status: 'error', message });
		}
		return retried === undefined ? undefined : shown;
	}

	/** How many messages have left so many times, or more. */
	private countSent(times: number): number {
		return this.rows.filter(({ to }) => this.sandbox.requests({ to }).length >= times).length;
	}

	private countUnsaid(execution: FinishedExecution): number {
		const output = outputOf(execution, 'Gateway');
		const isUnsaid = ({ to }: { to: string }, index: number) =>
			!output[index]?.json.error && this.sandbox.timesAccepted({ to }) === 0;
		return this.rows.filter(isUnsaid).length;
	}
}

const hasRun = ({ data }: FinishedExecution): boolean =>
	data.resultData.runData.Gateway !== undefined;
