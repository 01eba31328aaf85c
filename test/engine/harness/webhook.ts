import './instance';
import type { Response } from 'express';
import { HookContext, WebhookContext } from 'n8n-core';
import type { INodeExecutionData, IWebhookData } from 'n8n-workflow';
import { asN8n, readBody, type WebhookRequest } from './http';
import { listen } from './server';
import { inInstance, prepare, type NodeOptions } from './workflow';

export interface WebhookOptions extends NodeOptions {
	/** Serves the test URL instead of the production URL. */
	isTest?: boolean;
	/** N8N_PROXY_HOPS. */
	proxyHops?: number;
}

export interface Delivery {
	/** What was answered. */
	status: number;
	/** Per output, the items an execution starts with; absent where none starts. */
	started?: INodeExecutionData[][];
	/** What the node threw: n8n answers 500 and saves a failed execution. */
	error?: Error;
	credentialReads: number;
	logs: string[];
}

export interface WebhookServer {
	/** The node's URL, without the secret that `create` adds. */
	url: string;
	/** The deliveries since the last call, in order of arrival, when each one is finished. */
	deliveries(): Promise<Delivery[]>;
	close(): Promise<void>;
}

/**
 * Listens as n8n does for a trigger with response mode `onReceived`: n8n's reading of the body, the
 * node's `webhook()` in n8n-core's context, n8n's answers. It starts no workflow.
 */
export async function startWebhook(options: WebhookOptions): Promise<WebhookServer> {
	const handled: Array<Promise<Delivery>> = [];
	const app = asN8n((request, response) => {
		if (request.path === new URL(url).pathname) {
			handled.push(handle(options, instanceUrl, request, response));
		} else {
			response.status(404).end();
		}
	}, options.proxyHops);
	const server = await listen(app);
	const instanceUrl = server.url;
	const url = await webhookUrl({ ...options, instanceUrl });
	const deliveries = async () => await Promise.all(handled.splice(0));
	return {
		url,
		deliveries,
		async close() {
			await server.close();
			await deliveries();
		},
	};
}

/** Sends one request (default: POST) to the node's webhook, with `search` after its URL. */
export async function runWebhook(
	options: WebhookOptions,
	{ search = '', ...request }: RequestInit & { search?: string } = {},
): Promise<Delivery & { body: string }> {
	const server = await startWebhook(options);
	try {
		const signal = AbortSignal.timeout(30_000);
		const response = await fetch(server.url + search, { method: 'POST', signal, ...request });
		const body = await response.text();
		const [delivery] = await server.deliveries();
		return { ...delivery!, body };
	} finally {
		await server.close();
	}
}

async function webhookUrl({ isTest, ...options }: WebhookOptions) {
	const { workflow, node, additionalData } = await prepare(options, 'internal');
	const webhookData = { isTest } as IWebhookData;
	const hook = new HookContext(workflow, node, additionalData, 'internal', 'init', webhookData);
	return hook.getNodeWebhookUrl('default')!;
}

async function handle(
	options: WebhookOptions,
	instanceUrl: string,
	request: WebhookRequest,
	response: Response,
): Promise<Delivery> {
	const mode = options.isTest ? 'manual' : 'webhook';
	const { workflow, node, nodeType, additionalData, ...context } = await prepare(
		{ ...options, instanceUrl },
		mode,
	);
	Object.assign(additionalData, { httpRequest: request, httpResponse: response });
	const [webhookDescription] = nodeType.description.webhooks!;
	const delivery = (outcome: Pick<Delivery, 'started' | 'error'> = {}): Delivery => ({
		status: response.statusCode,
		...outcome,
		credentialReads: context.credentialReads(),
		logs: context.logs(),
	});

	try {
		if (!(await readBody(request, node.typeVersion))) {
			response.status(422).json({ code: 422, message: 'Failed to parse request body' });
			return delivery();
		}
	} catch (error) {
		// Express answers what goes wrong before the node, if there is anybody left to answer.
		const { status, code } = error as { status?: number; code?: string };
		if (status === undefined && code === undefined) throw error;
		response.status(status ?? 500).end();
		return delivery();
	}
	const webhook = new WebhookContext(
		workflow,
		node,
		additionalData,
		mode,
		{ isTest: options.isTest, webhookDescription } as IWebhookData,
		[],
		null,
	);
	inInstance(webhook, options);
	try {
		const returned = await nodeType.webhook!.call(webhook);
		if (!returned.noWebhookResponse) {
			const { workflowData, webhookResponse } = returned;
			const message = workflowData ? 'Workflow was started' : 'Webhook call received';
			// n8n sends this where 'Response Data' is empty.
			const body: unknown = webhookResponse ?? { message };
			if (typeof body === 'string') response.send(body);
			else response.json(body);
		}
		context.saveStaticData();
		return delivery({ started: returned.workflowData });
	} catch (error) {
		const text = 'Workflow Webhook Error: Workflow could not be started!';
		response.status(500).json({ code: 0, message: text });
		return delivery({ error: error as Error });
	}
}
