import './instance';
import type { Response } from 'express';
import { Container } from '@n8n/di';
import { parse, stringify } from 'flatted';
import {
	generateUrlSignature,
	InstanceSettings,
	prepareUrlForSigning,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import type {
	INodeExecutionData,
	IRunExecutionData,
	IWebhookData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { runNode, type NodeRun, type RunOptions } from './execute';
import { asN8n, readBody, type WebhookRequest } from './http';
import { listen } from './server';
import { prepare } from './workflow';

/** What a link of a waiting execution was answered with. */
export interface Opened {
	status: number;
	headers: Headers;
	body: string;
}

/** A run, and its execution as n8n's server stores it while it waits. */
export interface Waiting {
	run: NodeRun;
	/** Opens a link, with GET by default. */
	open(url: string, request?: RequestInit): Promise<Opened>;
	/** What the execution went on with, once for each time it did. */
	resumed: INodeExecutionData[][];
	/** Lets it go on, after an answer or at the end of the wait. */
	resume(): Promise<INodeExecutionData[]>;
	/** Changes what is stored. */
	change(edit: (data: IRunExecutionData) => void): void;
	/** Where the links lead to. */
	url: string;
	close(): Promise<void>;
}

const mode: WorkflowExecuteMode = 'trigger';

/**
 * Runs a node that waits, and serves its links as n8n's server does: the signature is checked, the
 * node is asked with what was stored, and the execution goes on once, unless two requests come at the
 * same instant and `lock` is off, as before n8n 2.0.
 */
export async function startWaiting({
	lock = true,
	fails = () => false,
	holds = () => false,
	...options
}: RunOptions & {
	lock?: boolean;
	/** Whether n8n cannot go on with the execution. */
	fails?: () => boolean;
	/** Whether n8n does not answer, as at its concurrency limit. */
	holds?: () => boolean;
}): Promise<Waiting> {
	const { url, close } = await listen(asN8n((...args) => void handle(...args)));
	const settings = { ...options, instanceUrl: options.instanceUrl ?? url };
	const run = await runNode(settings).catch(async (error: Error) => {
		await close();
		throw error;
	});
	let stored = stringify(run.data);
	const resumed: INodeExecutionData[][] = [];
	let executionId = '';

	async function handle(request: WebhookRequest, response: Response): Promise<unknown> {
		const link = new URL(request.url, url);
		executionId = link.pathname.split('/')[2]!;
		if (!isSigned(link)) return response.status(401).json({ error: 'Invalid token' });
		if (resumed.length > 0 && lock) {
			return response.status(409).json({ message: 'The execution is running already.' });
		}
		await readBody(request, 1);
		const { workflow, node, nodeType, additionalData } = await prepare(settings, mode);
		Object.assign(additionalData, { executionId, httpRequest: request, httpResponse: response });
		const webhookDescription = nodeType.description.webhooks!.find(
			({ httpMethod }) => httpMethod === request.method,
		);
		if (!webhookDescription) return response.send('No action required');
		const context = new WebhookContext(
			workflow,
			node,
			additionalData,
			mode,
			{ webhookDescription } as IWebhookData,
			[],
			restore(),
		);
		const { workflowData, webhookResponse, noWebhookResponse } =
			await nodeType.webhook!.call(context);
		if (noWebhookResponse) return;
		if (holds()) return;
		if (fails()) return response.status(500).json({ message: 'There was a problem' });
		if (workflowData) resumed.push(workflowData[0]!);
		response.send(webhookResponse);
	}

	/** As a server that has only the database. */
	function restore(): IRunExecutionData {
		const data = parse(stored) as IRunExecutionData;
		data.waitTill = undefined;
		data.executionData!.nodeExecutionStack[0]!.node.disabled = true;
		data.resultData.runData[data.resultData.lastNodeExecuted!]!.pop();
		return data;
	}

	return {
		run,
		resumed,
		url,
		async open(link, request) {
			const target = new URL(link);
			const response = await fetch(url + target.pathname + target.search, {
				signal: AbortSignal.timeout(30_000),
				...request,
			});
			return { status: response.status, headers: response.headers, body: await response.text() };
		},
		change(edit) {
			const data = parse(stored) as IRunExecutionData;
			edit(data);
			stored = stringify(data);
		},
		async resume() {
			const data = restore();
			if (resumed[0]) data.executionData!.nodeExecutionStack[0]!.data.main = [resumed[0]];
			const { workflow, node, additionalData } = await prepare(settings, mode);
			Object.assign(additionalData, { executionId });
			const engine = new WorkflowExecute(additionalData, mode, data);
			const { data: ended } = await engine.processRunExecutionData(workflow);
			return ended.resultData.runData[node.name]?.at(-1)?.data?.main?.[0] ?? [];
		},
		close,
	};
}

function isSigned(link: URL): boolean {
	const { hmacSignatureSecret } = Container.get(InstanceSettings);
	const signature = link.searchParams.get('signature');
	link.searchParams.delete('signature'); // n8n-core 1.x does not leave it out by itself
	return signature === generateUrlSignature(prepareUrlForSigning(link), hmacSignatureSecret);
}
