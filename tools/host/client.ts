import { randomUUID } from 'node:crypto';
import { parse } from 'flatted';
import {
	createEmptyRunExecutionData,
	type ExecutionStatus,
	type ICredentialDataDecryptedObject,
	type IConnections,
	type INode,
	type INodeExecutionData,
	type INodeTypeDescription,
	type IRunExecutionData,
	type IWorkflowSettings,
	type NodeApiError,
	type NodeOperationError,
} from 'n8n-workflow';
import { fetchOnce } from './fetchOnce';
import { HostRequestError, Session } from './session';
import { until } from './until';

const CREDENTIAL_TYPE = 'messagingGatewayApi';
const PAGE = 100; // executions; n8n's maximum
const HIGHEST_ID = 2 ** 31 - 1; // of an execution; PostgreSQL's maximum
const EXECUTION_LIMIT = 600_000; // ms

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

export interface Execution {
	id: string;
	workflowId: string;
	mode: string;
	status: ExecutionStatus;
}

export interface FinishedExecution extends Execution {
	data: IRunExecutionData;
	/** The error as n8n stores it: a plain object, not an Error. */
	error?: NodeApiError | NodeOperationError;
}

export interface Publication {
	status: 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

/** The actions of n8n's editor. A request that n8n refuses throws a HostRequestError. */
export class HostClient {
	/** Whether this n8n lists executions page by page; undefined until it was asked. */
	private hasCursors: boolean | undefined;

	private constructor(private readonly session: Session) {}

	static async signIn(url: string, login: Login): Promise<HostClient> {
		const session = new Session(url);
		await session.signIn(login.email, login.password);
		return new HostClient(session);
	}

	/** Returns the cookies of a browser that is signed in. */
	cookies(): Array<{ name: string; value: string; url: string }> {
		return this.session.cookie.split('; ').map((cookie) => {
			const [name = '', value = ''] = cookie.split('=');
			return { name, value, url: this.session.url };
		});
	}

	/** All node types of this instance. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.session.fetchJson('/types/nodes.json');
	}

	async createCredential(
		data: object,
		type = CREDENTIAL_TYPE,
		name = type,
	): Promise<CredentialReference> {
		const id = await this.create('/rest/credentials', { name, type, data });
		return { id, name };
	}

	async updateCredential(id: string, data: object): Promise<void> {
		const { name, type } = await this.credential(id);
		await this.session.request('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	/** Like the editor's Save and Retry buttons, for a stored credential. */
	async testCredential(id: string): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const { name, type, data } = await this.credential(id);
		return await this.session.request('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** @returns the workflow's id */
	async createWorkflow(workflow: WorkflowJson): Promise<string> {
		return await this.create('/rest/workflows', { active: false, ...workflow }); // for n8n 1.x
	}

	/** Saves a change as a new version, as the editor does; published it is not yet. */
	async updateWorkflow(
		id: string,
		change: (workflow: WorkflowJson) => Partial<WorkflowJson>,
	): Promise<void> {
		const stored = await this.workflow(id);
		const { name, nodes, connections, settings, versionId } = stored;
		const workflow = { name, nodes, connections, settings, versionId, ...change(stored) };
		await this.session.request('PATCH', `/rest/workflows/${id}`, workflow);
	}

	/**
	 * Starts a workflow like the editor's Execute Workflow button.
	 *
	 * @param trigger name of the trigger; default: the Manual Trigger
	 * @returns the execution's id
	 */
	async run(workflowId: string, trigger?: string): Promise<string> {
		const { executionId } = await this.start(workflowId, trigger);
		if (executionId === undefined) throw new Error(`Workflow ${workflowId} waits for a webhook`);
		return executionId;
	}

	async waitForExecution(id: string): Promise<FinishedExecution> {
		const readEnded = async () => {
			const current = await this.readExecution(id);
			if (!current || !FINISHED.has(current.status)) return undefined;
			// Older versions report the end of an execution before they store its data.
			const data = parse(current.data) as IRunExecutionData | undefined;
			const isStored = current.status !== 'success' || data?.resultData?.lastNodeExecuted;
			if (isStored && data?.resultData) return { ...pickExecution(current), data };
			if (current.status !== 'crashed') return undefined;
			return { ...pickExecution(current), data: createEmptyRunExecutionData() }; // n8n was killed
		};
		const limit = EXECUTION_LIMIT;
		const execution = await until(`execution ${id} has ended`, readEnded, { limit });
		const error = execution.data.resultData.error as FinishedExecution['error'];
		return { ...execution, error };
	}

	/** Waits until an execution waits for a person or a time. @throws Error when it ends instead */
	async untilItWaits(id: string): Promise<void> {
		const { status } = await this.untilItRestsOrEnds(id);
		if (status !== 'waiting') throw new Error(`Execution ${id} does not wait: ${status}`);
	}

	/** Waits until an execution waits for a person or a time, or has ended. */
	async untilItRestsOrEnds(id: string): Promise<{ status: string }> {
		const readStill = async () => {
			const current = await this.readExecution(id);
			return current && WAITING_OR_ENDED.has(current.status) ? current : undefined;
		};
		return await until(`execution ${id} waits or has ended`, readStill, { limit: EXECUTION_LIMIT });
	}

	/** Creates a workflow and starts it. @returns the execution's id */
	async begin(workflow: WorkflowJson): Promise<string> {
		return await this.run(await this.createWorkflow(workflow));
	}

	/** Creates a workflow, runs it once and waits for its end. */
	async execute(workflow: WorkflowJson): Promise<FinishedExecution> {
		return await this.waitForExecution(await this.begin(workflow));
	}

	/** Creates a workflow and publishes it. @returns its id @throws Error where n8n does not publish it */
	async publish(workflow: WorkflowJson): Promise<string> {
		const id = await this.createWorkflow(workflow);
		const { status, triggers } = await this.activate(id);
		if (status !== 'published') throw new Error(`${status}: ${JSON.stringify(triggers)}`);
		return id;
	}

	/** The id of a workflow's newest execution, once it has begun. */
	async newest(workflowId: string): Promise<string> {
		const first = async () => (await this.executions(workflowId))[0]?.id;
		return await until(`workflow ${workflowId} has begun`, first);
	}

	/** All executions of a workflow, newest first, those still running included. */
	async executions(workflowId: string): Promise<Execution[]> {
		const filter = JSON.stringify({ workflowId });
		this.hasCursors ??= (await this.list({ filter, limit: '1' })).nextCursor !== undefined;
		const all = await (this.hasCursors ? this.listByCursor(filter) : this.listByRange(filter));
		// One that ends meanwhile is listed twice: first running, then ended.
		return [...new Map(all.map((each) => [each.id, pickExecution(each)])).values()];
	}

	/** Stops a running execution like the editor's Stop button. */
	async cancel(executionId: string): Promise<void> {
		await this.session.request('POST', `/rest/executions/${executionId}/stop`);
	}

	/**
	 * Retries an execution from where it ended, like the button in the list of executions, and waits for
	 * the end.
	 *
	 * @returns the new execution's id
	 */
	async retry(executionId: string): Promise<string> {
		return await this.create(`/rest/executions/${executionId}/retry`, { loadWorkflow: false });
	}

	/** A request to n8n's public API, with a key of its own. */
	async askPublicApi<T>(method: string, path: string, scopes: string[]): Promise<T> {
		const body = { label: randomUUID(), scopes, expiresAt: null };
		const created = await this.session.request<unknown>('POST', '/rest/api-keys', body);
		const { rawApiKey } = created as { rawApiKey: string };
		const response = await fetchOnce(`${this.session.url}/api/v1${path}`, {
			method,
			headers: { 'x-n8n-api-key': rawApiKey },
		});
		if (response.ok) return (await response.json()) as T;
		throw new HostRequestError(`${method} ${path}`, response.status, await response.text());
	}

	/**
	 * Publishes a workflow and waits for the outcome. n8n accepts first and registers triggers later;
	 * versions without a publication status register them first, and refuse what fails.
	 */
	async activate(workflowId: string): Promise<Publication> {
		const { versionId } = await this.workflow(workflowId);
		try {
			await this.session.request('POST', `/rest/workflows/${workflowId}/activate`, { versionId });
		} catch (error) {
			const isOutcome =
				error instanceof HostRequestError && !(await this.readPublication(workflowId));
			if (!isOutcome) throw error;
			const { message } = JSON.parse(error.body) as { message: string };
			const trigger = { nodeId: '', status: 'failed', errorMessage: message };
			return { status: 'failed', triggers: [trigger] };
		}
		return await this.publication(workflowId, true);
	}

	/** Unpublishes a workflow and waits until its triggers are gone. */
	async deactivate(workflowId: string): Promise<Publication> {
		await this.session.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
		return await this.publication(workflowId, false);
	}

	/** Listens for a test event for two minutes, like the editor's Listen button. */
	async listen(workflowId: string, trigger: string): Promise<void> {
		await this.start(workflowId, trigger);
	}

	/** @returns the new one's id */
	private async create(path: string, body: object): Promise<string> {
		return (await this.session.request<{ id: string }>('POST', path, body)).id;
	}

	private async list(query: Record<string, string>): Promise<ExecutionPage> {
		const parameters = new URLSearchParams(query).toString();
		return await this.session.request('GET', `/rest/executions?${parameters}`);
	}

	private async listByCursor(filter: string): Promise<Execution[]> {
		const all: Execution[] = [];
		for (let next: ExecutionPage['nextCursor']; next !== null;) {
			const page = await this.list({ filter, limit: String(PAGE), ...(next && { cursor: next }) });
			all.push(...page.results);
			next = page.nextCursor;
		}
		return all;
	}

	private async listByRange(filter: string): Promise<Execution[]> {
		const all: Execution[] = [];
		for (;;) {
			const lastId = all.at(-1)?.id ?? String(HIGHEST_ID);
			// Both ends, else n8n sorts by start and leaves some out.
			const range = { firstId: '0', lastId, limit: String(PAGE) };
			const { results } = await this.list({ filter, ...range });
			all.push(...results);
			if (results.length < PAGE) return all;
		}
	}

	/** 2.20 fails on an execution without data, but lists it. */
	private async readExecution(id: string): Promise<StoredExecution | undefined> {
		try {
			return await this.session.request('GET', `/rest/executions/${id}`);
		} catch (error) {
			if (error instanceof HostRequestError && error.body.includes("reading 'resultData'")) {
				const range = { firstId: String(Number(id) - 1), lastId: String(Number(id) + 1) };
				const { results } = await this.list({ ...range, limit: '1' });
				return results.map((execution) => ({ ...execution, data: '[]' }))[0];
			}
			throw error;
		}
	}

	/** @returns no id if n8n listens for a test event instead */
	private async start(workflowId: string, trigger?: string): Promise<{ executionId?: string }> {
		const workflowData = await this.workflow(workflowId);
		const name = trigger ?? nameOfManualTrigger(workflowData);
		return await this.session.request('POST', `/rest/workflows/${workflowId}/run`, {
			workflowData, // older versions run this, newer ones the stored workflow
			triggerToStartFrom: { name },
		});
	}

	private async workflow(id: string): Promise<WorkflowJson & { versionId: string }> {
		return await this.session.request('GET', `/rest/workflows/${id}`);
	}

	private async credential(id: string): Promise<StoredCredential> {
		return await this.session.request('GET', `/rest/credentials/${id}?includeData=true`);
	}

	private async publication(workflowId: string, isPublished: boolean): Promise<Publication> {
		const what = `workflow ${workflowId} is ${isPublished ? 'published' : 'unpublished'}`;
		return await until(what, async () => {
			const current = await this.readPublication(workflowId);
			// Versions without a publication status answer when all is done.
			if (!current) return { status: isPublished ? 'published' : 'not_published', triggers: [] };
			const isOver = (current.status !== 'not_published') === isPublished;
			return current.status !== 'in_progress' && isOver ? (current as Publication) : undefined;
		});
	}

	/** Returns undefined if n8n has no publication status. */
	private async readPublication(
		workflowId: string,
	): Promise<Publication | { status: 'in_progress' } | undefined> {
		const path = `/rest/workflows/${workflowId}/publication-status`;
		try {
			return await this.session.request('GET', path);
		} catch (error) {
			if (error instanceof HostRequestError && error.status === 404) return undefined;
			throw error;
		}
	}
}

/** The items on an output of a node's last run; empty if it did not run. */
export function outputOf(
	execution: FinishedExecution,
	node: string,
	output = 0,
): INodeExecutionData[] {
	const lastRun = execution.data.resultData.runData[node]?.at(-1);
	return lastRun?.data?.main?.[output] ?? [];
}

interface StoredExecution extends Execution {
	/** Serialized by the library flatted. */
	data: string;
}

interface ExecutionPage {
	results: Execution[];
	/** Null at the end. Absent before n8n 2.41, which lists by ranges of ids. */
	nextCursor?: string | null;
}

interface StoredCredential {
	name: string;
	type: string;
	data: ICredentialDataDecryptedObject;
}

function nameOfManualTrigger({ name, nodes }: WorkflowJson): string {
	const trigger = nodes.find((node) => node.type === 'n8n-nodes-base.manualTrigger');
	if (!trigger) throw new Error(`Workflow '${name}' has no Manual Trigger; name one`);
	return trigger.name;
}

const FINISHED = new Set<ExecutionStatus>(['success', 'error', 'canceled', 'crashed']);
const WAITING_OR_ENDED = new Set<ExecutionStatus>(['waiting', ...FINISHED]);

function pickExecution({ id, workflowId, mode, status }: Execution): Execution {
	return { id, workflowId, mode, status };
}
