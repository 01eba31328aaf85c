import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type {
	ExecutionStatus,
	ICredentialDataDecryptedObject,
	IConnections,
	INode,
	INodeExecutionData,
	INodeTypeDescription,
	IRunExecutionData,
	IWorkflowSettings,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { Session } from './session';

const CREDENTIAL_TYPE = 'messagingGatewayApi';
const PAGE = 100; // executions; n8n gives no more at once
const HIGHEST_ID = 2 ** 31 - 1; // of an execution; PostgreSQL refuses more
const POLL_INTERVAL = 100; // ms
const EXECUTION_LIMIT = 600_000; // ms
const PUBLICATION_LIMIT = 120_000; // ms

export interface Login {
	email: string;
	password: string;
}

/** A workflow as the editor exports it. */
export interface WorkflowJson {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

export interface CredentialReference {
	id: string;
	name: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface Execution {
	id: string;
	workflowId: string;
	mode: string;
	status: ExecutionStatus;
}

export interface FinishedExecution extends Execution {
	data: IRunExecutionData;
	/** What stopped the execution, as n8n stored it: a plain object, no longer an Error. */
	error?: NodeApiError | NodeOperationError;
}

export interface Publication {
	status: 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** What a person does in n8n's editor, as methods. Requests that n8n refuses throw a HostRequestError. */
export class HostClient {
	private constructor(private readonly session: Session) {}

	static async signIn(url: string, login: Login): Promise<HostClient> {
		const session = new Session(url);
		await session.signIn(login.email, login.password);
		return new HostClient(session);
	}

	/** Signs a browser in without the sign-in page. */
	cookies(): Array<{ name: string; value: string; url: string }> {
		return this.session.cookieHeader.split('; ').map((cookie) => {
			const [name = '', value = ''] = cookie.split('=');
			return { name, value, url: this.session.url };
		});
	}

	/** Everything that this instance can run, other packages' node types included. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.session.fetchJson('/types/nodes.json');
	}

	async createCredential(
		data: object,
		type = CREDENTIAL_TYPE,
		name = type,
	): Promise<CredentialReference> {
		const body = { name, type, data };
		const { id } = await this.session.request<CredentialReference>(
			'POST',
			'/rest/credentials',
			body,
		);
		return { id, name };
	}

	async updateCredential(id: string, data: object): Promise<void> {
		const { name, type } = await this.credential(id);
		await this.session.request('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	/** What the editor's Save and Retry buttons show, for a stored credential. */
	async testCredential(id: string): Promise<CredentialTestResult> {
		const { name, type, data } = await this.credential(id);
		return await this.session.request('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** @returns the workflow's id */
	async createWorkflow(workflow: WorkflowJson): Promise<string> {
		const { id } = await this.session.request<{ id: string }>('POST', '/rest/workflows', workflow);
		return id;
	}

	/**
	 * Starts a workflow as the editor's Execute Workflow button does.
	 *
	 * @param trigger name of the trigger to start from; default: the workflow's Manual Trigger
	 * @returns the execution's id
	 */
	async run(workflowId: string, trigger?: string): Promise<string> {
		const name = trigger ?? (await this.nameOfManualTrigger(workflowId));
		const { executionId } = await this.session.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name } },
		);
		return executionId;
	}

	async waitForExecution(id: string): Promise<FinishedExecution> {
		const execution = await poll(`execution ${id}`, EXECUTION_LIMIT, async () => {
			const current = await this.session.request<StoredExecution>('GET', `/rest/executions/${id}`);
			return FINISHED.has(current.status) ? current : undefined;
		});
		const data = parse(execution.data) as IRunExecutionData;
		const error = data.resultData.error as FinishedExecution['error'];
		return { ...pickExecution(execution), data, error };
	}

	/** Creates a workflow, runs it once and waits for its end. */
	async execute(workflow: WorkflowJson): Promise<FinishedExecution> {
		const id = await this.createWorkflow(workflow);
		return await this.waitForExecution(await this.run(id));
	}

	/** All executions of a workflow, newest first, those still running included. */
	async executions(workflowId: string): Promise<Execution[]> {
		const all: Execution[] = [];
		for (;;) {
			const query = new URLSearchParams({
				filter: JSON.stringify({ workflowId }),
				limit: String(PAGE),
				firstId: '0', // both ends, else n8n sorts by start and leaves some out
				lastId: all.at(-1)?.id ?? String(HIGHEST_ID),
			});
			const { results } = await this.session.request<{ results: Execution[] }>(
				'GET',
				`/rest/executions?${query.toString()}`,
			);
			all.push(...results.map(pickExecution));
			if (results.length < PAGE) return all;
		}
	}

	/** Stops a running execution as the editor's Stop button does. */
	async cancel(executionId: string): Promise<void> {
		await this.session.request('POST', `/rest/executions/${executionId}/stop`);
	}

	/** Publishes a workflow and waits for the outcome: n8n accepts at once and registers triggers later. */
	async activate(workflowId: string): Promise<Publication> {
		const { versionId } = await this.workflow(workflowId);
		await this.session.request('POST', `/rest/workflows/${workflowId}/activate`, { versionId });
		return await this.publication(workflowId, (status) => status !== 'not_published');
	}

	/** Unpublishes a workflow and waits until its triggers are gone. */
	async deactivate(workflowId: string): Promise<Publication> {
		await this.session.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
		return await this.publication(workflowId, (status) => status === 'not_published');
	}

	/** Listens for a test event, as the editor's Listen button does, for n8n's two minutes. */
	async listen(workflowId: string, trigger: string): Promise<void> {
		await this.session.request('POST', `/rest/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger },
		});
	}

	/** n8n answers before the node's `delete` has run: what that does has to be waited for. */
	async stopListening(workflowId: string): Promise<void> {
		await this.session.request('DELETE', `/rest/test-webhook/${workflowId}`);
	}

	private async nameOfManualTrigger(workflowId: string): Promise<string> {
		const { nodes } = await this.workflow(workflowId);
		const trigger = nodes.find((node) => node.type === 'n8n-nodes-base.manualTrigger');
		if (!trigger) throw new Error(`Workflow ${workflowId} has no Manual Trigger; name one`);
		return trigger.name;
	}

	private async workflow(id: string): Promise<WorkflowJson & { versionId: string }> {
		return await this.session.request('GET', `/rest/workflows/${id}`);
	}

	private async credential(id: string): Promise<StoredCredential> {
		return await this.session.request('GET', `/rest/credentials/${id}?includeData=true`);
	}

	private async publication(
		workflowId: string,
		expected: (status: Publication['status']) => boolean,
	): Promise<Publication> {
		return await poll(`publication of workflow ${workflowId}`, PUBLICATION_LIMIT, async () => {
			const current = await this.session.request<
				Publication | { status: 'in_progress'; triggers: [] }
			>('GET', `/rest/workflows/${workflowId}/publication-status`);
			if (current.status === 'in_progress' || !expected(current.status)) return undefined;
			return current as Publication;
		});
	}
}

/** The items that a node gave on one of its outputs in its last run; empty if it did not run. */
export function outputOf(
	execution: FinishedExecution,
	node: string,
	output = 0,
): INodeExecutionData[] {
	const lastRun = execution.data.resultData.runData[node]?.at(-1);
	return lastRun?.data?.main?.[output] ?? [];
}

interface StoredExecution extends Execution {
	/** Flattened by the library flatted. */
	data: string;
}

interface StoredCredential {
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

const FINISHED = new Set<ExecutionStatus>(['success', 'error', 'canceled', 'crashed']);

function pickExecution({ id, workflowId, mode, status }: Execution): Execution {
	return { id, workflowId, mode, status };
}

async function poll<T>(
	what: string,
	limit: number,
	read: () => Promise<T | undefined>,
): Promise<T> {
	const end = Date.now() + limit;
	while (Date.now() < end) {
		const value = await read();
		if (value !== undefined) return value;
		await sleep(POLL_INTERVAL);
	}
	throw new Error(`Gave up on ${what} after ${limit / 1000} s`);
}
