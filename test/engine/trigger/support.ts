import { inspect } from 'node:util';
import type {
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
	NodeApiError,
	NodeOperationError,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { SEEDS, startSandbox, type Sandbox } from '../../../tools/sandbox';
import { inProcess } from '../../../nodes/n8n/processState';
import { withHint } from '../../../nodes/text/sentences';
import { runHook, runTrigger } from '../harness';
/** What these tests share: a sandbox, and workflows with a trigger that live as n8n lets them live. */

/** How the trigger waits: not at all, unless a test file says otherwise. */
export const waits: { sleep(ms: number): Promise<unknown> } = { sleep: async () => {} };
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => await waits.sleep(ms),
}));

export const foreign = 'https://crm.example.com/hooks/messages?key=hush';
/** Somebody else's webhook. */
export const crm = { url: foreign, enabled: true };

/** A sandbox for the tests of a file; each begins in a fresh process with a fresh account. */
export function useSandbox(): () => Sandbox {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ keepAnswers: true });
	});
	beforeEach(() => {
		sandbox.reset();
		forgetAll();
	});
	afterAll(async () => await sandbox.close());
	return () => sandbox;
}

export interface TriggerOptions {
	options?: INodeParameters;
	instanceId?: string;
	/** Entries of the credential that differ from the sandbox's own. */
	credential?: IDataObject;
	instanceUrl?: string;
	editorUrl?: string;
	endpoint?: string;
	webhookId?: string;
	cannotSaveFailedExecutions?: boolean;
	onRequest?: (options: IHttpRequestOptions) => void | Promise<void>;
}

/** A workflow with the trigger; its methods do what n8n does on that event. */
export class TriggerWorkflow {
	/** What n8n has stored. */
	staticData: IDataObject = {};
	/** A test starts with none, and has its own. */
	private testData: IDataObject = {};

	constructor(
		private readonly sandbox: Sandbox,
		readonly id = 'workflow-1',
		public options: TriggerOptions = {},
	) {}

	/** Returns an imported copy of the workflow: it has its webhook id, and its static data. */
	imported(): TriggerWorkflow {
		const copy = new TriggerWorkflow(this.sandbox, 'copy', { webhookId: `${this.id}-webhook` });
		copy.staticData = structuredClone(this.staticData);
		return copy;
	}

	async publish(activationMode: WorkflowActivateMode = 'activate') {
		const options = { ...this.prepare(false), activationMode };
		if ((await runHook('checkExists', options)).result) return;
		return await runHook('create', options);
	}

	/** n8n calls the hooks when it starts because the node has a `trigger()`. */
	async restart() {
		return await this.publish('init');
	}

	async unpublish() {
		return await runHook('delete', this.prepare(false));
	}

	async listen() {
		this.testData = {};
		const options = this.prepare(true);
		if (!(await runHook('checkExists', options)).result) await runHook('create', options);
	}

	/** A test event came, or the two minutes are over, or somebody clicked Stop. */
	async endTest() {
		return await runHook('delete', this.prepare(true));
	}

	/** The trigger function beside the hooks. */
	async watch() {
		return await runTrigger(this.prepare(false));
	}

	/** Options for the harness. */
	prepare(isTest: boolean) {
		const { options = {}, credential, ...rest } = this.options;
		return {
			node: 'messagingGatewayTrigger',
			workflowId: this.id,
			parameters: { options },
			credential: { ...this.sandbox.credential, ...credential } as never,
			staticData: isTest ? this.testData : this.staticData,
			isTest,
			...rest,
		};
	}
}

/**
 * Plays what happens to workflows, by their numbers, with the webhook that it leaves behind an arrow:
 * `publish 1; listen 1 → test of 1; end 1 → production of 1`. What is tried (`try publish 1`) is refused,
 * and `late` it happens after the end of any test. `check 1` is one of the watch, which surfaces nothing,
 * `exists 1` one that finds all well, and `close 1` ends the watch; `key 1`, `move 1` and `hooks 1` give
 * it another API key, host and endpoint. Others set the webhook (`crm`, `none`), switch it `off` or `cut`
 * its query; `down` is the service for one read. `copy` is the first workflow, imported once more.
 */
export async function play(sandbox: Sandbox, story: string): Promise<void> {
	const workflows: Record<string, TriggerWorkflow> = {};
	const watches: Record<string, Awaited<ReturnType<TriggerWorkflow['watch']>>> = {};
	for (const step of story.split('; ')) {
		const [action, expected] = step.split(' → ') as [string, string?];
		const words = action.split(' ');
		const who = words.pop()!;
		const verb = words.pop() ?? who;
		const workflow = (workflows[who] ??=
			who === 'copy' ? workflows[1]!.imported() : new TriggerWorkflow(sandbox, `workflow-${who}`));
		const verbs: Record<string, () => unknown> = {
			publish: async () => await workflow.publish(),
			unpublish: async () => await workflow.unpublish(),
			restart: async () => await workflow.restart(),
			listen: async () => await workflow.listen(),
			end: async () => await workflow.endTest(),
			exists: async () => {
				const { tick, logs } = (watches[who] ??= await workflow.watch());
				const { length } = logs();
				expect(await calls(sandbox, tick)).toEqual(['read']);
				expect(logs().slice(length)).toEqual([]);
			},
			check: async () => await (watches[who] ??= await workflow.watch()).tick(),
			key: () => (workflow.options.credential = { apiKey: SEEDS.apiKeys[1]!.key }),
			move: () => (workflow.options.instanceUrl = 'http://localhost:2'),
			hooks: () => (workflow.options.endpoint = 'hooks'),
			close: async () => await watches[who]!.close(),
			forget: forgetAll,
			down: () => sandbox.fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } }),
			crm: () => (sandbox.webhook = { ...crm }),
			none: () => (sandbox.webhook = { url: null, enabled: null }),
			off: () => (sandbox.webhook.enabled = false),
			cut: () => (sandbox.webhook.url = sandbox.webhook.url!.split('?')[0]!),
		};
		const act = async () => await verbs[verb]!();
		const actInTime = async () => await (words.includes('late') ? afterItsEnd(act) : act());
		if (words.includes('try')) await expectFailure(actInTime());
		else await actInTime();
		const now = left(sandbox).replace('workflow-', '').replace(foreign, 'crm');
		if (expected) expect(`${action} → ${now}`).toBe(step);
	}
	for (const { close, failedExecutions } of Object.values(watches)) {
		expect(failedExecutions).toEqual([]);
		await close();
	}
}

/** A test for each story, by its name. */
export const stories = (sandbox: () => Sandbox, table: Record<string, string>) =>
	it.each(Object.entries(table))('%s', async (_, story) => await play(sandbox(), story));

/** What a watch has reported: failed executions, or log lines, as in n8n before 2.7. */
export function reported({
	failedExecutions,
	logs,
}: Pick<Awaited<ReturnType<typeof runTrigger>>, 'failedExecutions' | 'logs'>): string[] {
	const saved = failedExecutions.map((error) => withHint(error as NodeOperationError));
	return saved.length > 0 ? saved : logs().filter((line) => line.startsWith('error: '));
}

/** The webhook that the service was left with, e.g. `production of workflow-1` or `off`. */
export function left({ webhook: { url, enabled } }: Sandbox): string {
	if (!url) return 'none';
	return enabled ? nameOf(url) : `${nameOf(url)}, off`;
}

/** The secret in a registered URL. */
export const secretIn = (url: string | null): string =>
	/mgt=v1\.\w+\.[\w-]+\.([\w-]{43})/.exec(url!)![1]!;

/** As in another process, or after a restart. */
export const forgetAll = inProcess.clear;

/** From now on the service stores something else than the URL that it is given. */
export function storeUrlsAs(sandbox: Sandbox, change: (url: string) => string | null): void {
	let { url } = sandbox.webhook;
	Object.defineProperty(sandbox.webhook, 'url', {
		enumerable: true,
		get: () => url,
		set: (given: string) => (url = change(given)),
	});
}

/** What n8n would do with a test that nobody ends, since n8n has died. */
const afterItsEnd = async <T>(action: () => Promise<T>) => await later(200_000, action);

/** Does something so many ms later than now. */
export async function later<T>(ms: number, action: () => Promise<T>): Promise<T> {
	const { now } = performance;
	const mocks = [
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms),
		jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ms),
	];
	try {
		return await action();
	} finally {
		mocks.forEach((mock) => mock.mockRestore());
	}
}

/** What the service was asked for, one word or two a call. */
export async function calls(sandbox: Sandbox, action: () => Promise<unknown>): Promise<string[]> {
	const before = sandbox.requests().length;
	await action();
	return sandbox
		.requests()
		.slice(before)
		.map(({ method, body, valid }) => {
			if (!valid) return 'not valid';
			const { enable, url } = (body ?? {}) as { enable?: boolean; url?: string };
			if (method === 'GET') return 'read';
			return enable ? `set ${nameOf(url!)}` : `switch off ${nameOf(url!)}`;
		});
}

function nameOf(url: string): string {
	const own = /\/\w+(-test)?\/([^/]+)-webhook\/webhook(\?mgt=v1\.[\w.-]+)?$/.exec(url);
	return own ? `${own[1] ? 'test' : 'production'} of ${own[2]}` : url;
}

/** All that a person or a log could see of an error. */
export const textOf = (error: unknown): string =>
	inspect(error, { depth: 8 }) + JSON.stringify(error);

export async function expectFailure(
	promise: Promise<unknown>,
): Promise<NodeApiError | NodeOperationError> {
	return await promise.then(
		() => {
			throw new Error('It did not fail');
		},
		(error: NodeApiError | NodeOperationError) => error,
	);
}
