import type { IWebhookDescription } from 'n8n-workflow';

const page: Omit<IWebhookDescription, 'httpMethod'> = {
	name: 'default',
	path: '={{ $nodeId }}',
	isFullPath: true,
	// Of a waiting execution: nothing is registered when a workflow is published.
	restartWebhook: true,
	responseMode: 'onReceived',
	// Empty, the answer is what `webhook` returns.
	responseData: '',
};

/** The page of a question, and its form. */
export const webhooks: IWebhookDescription[] = [
	{ ...page, httpMethod: 'GET' },
	{ ...page, httpMethod: 'HEAD' },
	{ ...page, httpMethod: 'POST' },
] as IWebhookDescription[];
