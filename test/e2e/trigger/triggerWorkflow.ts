import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters, IRunExecutionData } from 'n8n-workflow';
import type {
	Execution,
	FinishedExecution,
	HostClient,
	Publication,
	WorkflowJson,
} from '../../../tools/host';
import { until } from '../../../tools/host/until';
import type { Account } from './account';

/** A running n8n. */
export interface RunningHost {
	url: string;
	client: HostClient;
}

export interface TriggerOptions {
	/** Distinguishes several workflows of an account. */
	name?: string;
	options?: INodeParameters;
	/** Another node that starts the workflow. */
	beside?: Omit<INode, 'id' | 'position'>;
}

/** Of n8n's public API. */
export interface StoredExecution extends Execution {
	data: IRunExecutionData;
}

const triggerName = 'Trigger';

/** A stored workflow that starts with the trigger. */
export class TriggerWorkflow {
	private constructor(
		private readonly host: RunningHost,
		readonly id: string,
		readonly webhookId: string,
	) {}

	static async create(
		host: RunningHost,
		account: Account,
		{ name = '', options = {}, beside }: TriggerOptions = {},
	): Promise<TriggerWorkflow> {
		const webhookId = randomUUID();
		account.introduce(webhookId, name);
		const id = await host.client.createWorkflow(
			workflowJson(
				{
					name: triggerName,
					type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
					typeVersion: 2,
					parameters: { options },
					credentials: { messagingGatewayApi: account.credential },
					webhookId,
				},
				beside,
			),
		);
		return new TriggerWorkflow(host, id, webhookId);
	}

	async tryToPublish(): Promise<Publication> {
		return await this.host.client.activate(this.id);
	}

	async publish(): Promise<void> {
		const { status, triggers } = await this.tryToPublish();
		if (status !== 'published') throw new Error(`${status}: ${triggers[0]?.errorMessage}`);
	}

	async unpublish(): Promise<void> {
		await this.host.client.deactivate(this.id);
	}

	async listen(): Promise<void> {
		await this.host.client.listen(this.id, triggerName);
	}

	/** Saves a change of the trigger as a new version, as the editor does; published it is not yet. */
	async save(change: Partial<INode>): Promise<void> {
		await this.host.client.updateWorkflow(this.id, ({ nodes: [trigger, end] }) => {
			const nodes = [{ ...trigger!, ...change }, end!];
			return { nodes, connections: connect(nodes[0]!, end!) };
		});
	}

	async executions(): Promise<Execution[]> {
		return await this.host.client.executions(this.id);
	}

	/** Waits until the workflow has been started exactly so often, and gives what the newest one did. */
	async newestOf(count: number): Promise<FinishedExecution> {
		const executions = await until(`there are ${count} executions`, async () => {
			const all = await this.executions();
			return all.length >= count && all;
		});
		expect(executions).toHaveLength(count);
		return await this.host.client.waitForExecution(executions[0]!.id);
	}

	/** All that n8n stored of this workflow's executions, as n8n's public API gives it. */
	async storedExecutions(): Promise<StoredExecution[]> {
		const scopes = ['execution:list', 'execution:read'];
		const all: StoredExecution[] = [];
		for (let cursor: string | null = ''; cursor !== null;) {
			const query = new URLSearchParams({ workflowId: this.id, includeData: 'true', limit: '250' });
			if (cursor) query.set('cursor', cursor);
			const page: { data: StoredExecution[]; nextCursor: string | null } =
				await this.host.client.askPublicApi('GET', `/executions?${query.toString()}`, scopes);
			all.push(...page.data);
			cursor = page.nextCursor;
		}
		return all;
	}
}

/** A workflow of one trigger node, or of two, and a node that does nothing. */
function workflowJson(
	trigger: Omit<INode, 'id' | 'position'>,
	beside?: Omit<INode, 'id' | 'position'>,
): WorkflowJson {
	const end = { name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	return {
		name: `${trigger.type} ${trigger.webhookId ?? ''}`,
		nodes: [
			{ ...trigger, id: randomUUID(), position: [0, 0] },
			{ ...end, id: randomUUID(), position: [220, 0] },
			...(beside ? [{ ...beside, id: randomUUID(), position: [0, 200] as [number, number] }] : []),
		],
		connections: { ...connect(trigger, end), ...(beside && connect(beside, end)) },
		settings: {},
	};
}

const connect = (from: Pick<INode, 'name'>, to: Pick<INode, 'name'>): IConnections => ({
	[from.name]: { main: [[{ node: to.name, type: 'main', index: 0 }]] },
});
