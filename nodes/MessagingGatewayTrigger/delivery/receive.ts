import { jsonParse } from 'n8n-workflow';
import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { spellingsOf } from '../../gateway/redaction';
import { parseToken, tokenParameter } from '../../gateway/triggerToken';
import { isRegistering } from '../registration/apply';
import { isAskedByItself, misdirected } from '../registration/ask';
import { matches, type Condition } from './match';
import { recognise, toNotifications } from './shape';
import { share } from './share';
import { isAllowed, isEmpty, isGenuine } from './verify';

interface Options {
	allowedIps?: unknown;
	includeHeaders?: boolean;
	match?: { conditions?: Condition[] };
}

/** In one delivery; more would take gigabytes of items. */
const maxNotifications = 10_000;

/** Handles a delivery: checks where it comes from, and starts the workflow with its contents. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const token = (context.getQueryData() as IDataObject)[tokenParameter];
	if (!token && isAskedByItself(context)) return refuse(context, misdirected, 'asked by itself');
	try {
		if (!(await isGenuine(context, token))) {
			return refuse(context, 401, `${token ? 'wrong' : 'no'} secret in '${tokenParameter}'`);
		}
	} catch (error) {
		return refuse(context, 500, `the credential cannot be read: ${(error as Error).message}`);
	}

	const { shares } = parseToken(token)!;
	const isTooEarly = isRegistering(context);
	if (isTooEarly && !shares) {
		context.logger.debug('Answered a delivery that came while the webhook was being registered');
		return { webhookResponse: '' };
	}

	const options = context.getNodeParameter('options', {}) as Options;
	// An expression that returns nothing allows nobody; a field that was left empty allows everybody.
	const entered = context.getNodeParameter('options.allowedIps', '', { rawExpressions: true });
	// `ip` is the client that n8n sees: behind N8N_PROXY_HOPS proxies, the one that they report.
	if (!isEmpty(entered) && !isAllowed(options.allowedIps, request.ip)) {
		return refuse(context, 403, `'Allowed IPs' does not contain ${request.ip}`);
	}

	// n8n has parsed JSON, text, forms and XML. It leaves other types to the node.
	const body: unknown = context.getBodyData();
	if (body === undefined && !request.rawBody) {
		try {
			await request.readRawBody();
		} catch (error) {
			const isTooLarge = (error as { status?: number }).status === 413;
			return refuse(context, isTooLarge ? 413 : 400, (error as Error).message);
		}
	}

	const headers = context.getHeaderData();
	// As n8n does it, which treats a type followed by a space as a different one.
	const contentType = (headers['content-type'] ?? '').split(';')[0]!.toLowerCase();
	const notifications = toNotifications({ contentType, body, rawBody: request.rawBody });
	if (notifications.length > maxNotifications) {
		return refuse(context, 413, `${notifications.length} notifications at once`);
	}
	const conditions = options.match?.conditions ?? [];
	const items = notifications
		.filter(({ fields }) => !isTooEarly && matches(fields, conditions))
		.map(({ json, fields }): INodeExecutionData => {
			const extra = {
				...recognise(fields),
				...(options.includeHeaders && { headers: { ...headers } }),
			};
			return { json: { ...json, _gateway: extra } };
		});
	const clean = withoutSecret(items, token as string);
	if (!clean) return refuse(context, 413, 'nested too deeply to be stored');
	if (shares) return await share(context, token as string, clean);
	return { webhookResponse: '', ...(clean.length > 0 && { workflowData: [clean] }) };
}

/** Answers with a status and no details, and starts nothing. */
function refuse(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
	context.logger.debug(`Answered a delivery with ${status}: ${reason}`);
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/**
 * Removes the secret, which a proxy may add in a header and the service may repeat in the body.
 * Undefined if the items are nested too deeply to be written as JSON, and so for n8n to store.
 */
function withoutSecret(
	items: INodeExecutionData[],
	token: string,
): INodeExecutionData[] | undefined {
	const { secret, sealed } = parseToken(token)!;
	const parts = [token, secret, ...(sealed ? [sealed] : [])].flatMap(spellingsOf);
	let text: string;
	try {
		text = JSON.stringify(items);
	} catch {
		return undefined;
	}
	const clean = parts.reduce((rest, part) => rest.replaceAll(part, '***'), text);
	return clean === text ? items : jsonParse(clean);
}
