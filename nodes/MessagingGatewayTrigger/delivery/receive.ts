import { jsonParse } from 'n8n-workflow';
import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { secretParameter } from '../../shared/webhookUrl';
import { loadRegistration } from '../registration/store';
import { secretOf } from '../registration/url';
import { isAllowed } from './allowedIps';
import { fieldsOf, recognise, toObjects } from './items';
import { matches, type Condition } from './match';
import { isSecret } from './verify';

interface Options {
	allowedIps?: unknown;
	includeHeaders?: boolean;
	match?: { conditions?: Condition[] };
}

/** Takes one delivery: checks where it comes from, and starts the workflow with what it brings. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const secret = secretOf(loadRegistration(context)?.url ?? '');
	const given = (context.getQueryData() as IDataObject)[secretParameter];
	if (!secret || !isSecret(given, secret)) return refuse(context, 401);

	const options = context.getNodeParameter('options', {}) as Options;
	// The client as n8n sees it: behind proxies that N8N_PROXY_HOPS counts, the one they name.
	if (!isAllowed(options.allowedIps, request.ip)) return refuse(context, 403);

	// n8n has read JSON, text, forms and XML; other types it leaves to the node.
	const body: unknown = context.getBodyData();
	if (body === undefined && !request.rawBody) {
		try {
			await request.readRawBody();
		} catch (error) {
			return refuse(context, (error as { status?: number }).status === 413 ? 413 : 400);
		}
	}

	const headers = context.getHeaderData();
	const contentType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
	const conditions = options.match?.conditions ?? [];
	const deliveries = toObjects({ contentType, body, rawBody: request.rawBody }).filter((delivery) =>
		matches(fieldsOf(delivery, contentType), conditions),
	);
	if (deliveries.length === 0) return { webhookResponse: '' };

	const items = deliveries.map((delivery): INodeExecutionData => {
		const extra = {
			...recognise(fieldsOf(delivery, contentType)),
			...(options.includeHeaders && { headers: { ...headers } }),
		};
		return { json: { ...delivery, _gateway: extra } };
	});
	return { webhookResponse: '', workflowData: [withoutSecret(items, secret)] };
}

/** Answers without any detail, and starts nothing. */
function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/** A proxy may pass the URL on in a header, and the service may repeat it in what it sends. */
function withoutSecret(items: INodeExecutionData[], secret: string): INodeExecutionData[] {
	const text = JSON.stringify(items);
	return text.includes(secret) ? jsonParse(text.replaceAll(secret, '***')) : items;
}
