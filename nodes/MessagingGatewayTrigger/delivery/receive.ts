import {
	jsonParse,
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { isAllowed, isEmpty } from '../../gateway/addresses';
import { credentialType } from '../../gateway/client';
import { spellingsOf } from '../../gateway/redaction';
import { parseToken, tokenParameter } from '../../gateway/triggerToken';
import { digestOf, identityOf, isSame, secretFor, staticData } from '../identity';
import { isRegistering } from '../registration/register';
import { matches, recognise, toNotifications, type Condition } from './shape';

interface Delivery {
	context: IWebhookFunctions;
	/** The token in its URL. */
	given: string;
	/** What the workflow starts with, as far as it has been read. */
	items: INodeExecutionData[];
}

/** An answer without details, which ends a delivery; the reason is for n8n's log. */
type Answer = [status: number, reason: string];

/** Each answers a delivery, or leaves it to the next. */
const steps: Array<(delivery: Delivery) => Answer | undefined | Promise<Answer | undefined>> = [
	requireSecret,
	readBody,
	requireAllowedAddress,
	takeNotifications,
	hideSecret,
];

/** Handles a delivery: checks where it comes from, and starts the workflow with its contents. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const given = (context.getQueryData() as IDataObject)[tokenParameter] as string;
	const delivery: Delivery = { context, given, items: [] };
	for (const step of steps) {
		const [status, reason] = (await step(delivery)) ?? [];
		if (!status) continue;
		context.logger.debug(`Answered a delivery with ${status}: ${reason}`);
		context.getResponseObject().status(status).end();
		return { noWebhookResponse: true };
	}
	const { items } = delivery;
	return { webhookResponse: '', ...(items.length > 0 && { workflowData: [items] }) };
}

async function requireSecret({ context, given }: Delivery): Promise<Answer | undefined> {
	try {
		if (await isGenuine(context, given)) return undefined;
		return [401, `${given ? 'wrong' : 'no'} secret in '${tokenParameter}'`];
	} catch (error) {
		return [500, `the credential cannot be read: ${(error as Error).message}`];
	}
}

/**
 * Whether a delivery has the secret of this node, or of this test while n8n listens for one.
 *
 * Reads the credential only if the secret is not the one in n8n's static data. After the API key was
 * changed, that one stays valid until n8n stores the new one, as it publishes or starts: no delivery is
 * lost while the new URL is on its way.
 *
 * @throws when n8n cannot read the credential
 */
export async function isGenuine(context: IWebhookFunctions, given: unknown): Promise<boolean> {
	const token = parseToken(given);
	const isTest = context.getMode() === 'manual';
	if (!token || (token.until !== undefined) !== isTest) return false;
	if (token.until !== undefined && token.until <= Date.now()) return false; // of an earlier test

	const digest = digestOf(token.secret);
	if (!isTest && isSame(digest, staticData.read(context).digest)) return true;

	const { apiKey } = await context.getCredentials(credentialType);
	return isSame(digest, digestOf(secretFor(apiKey, identityOf(context), token.until)));
}

/** The client that n8n sees: behind N8N_PROXY_HOPS proxies, the one that they report. */
function requireAllowedAddress({ context }: Delivery): Answer | undefined {
	// An expression that returns nothing allows nobody; a field that was left empty allows everybody.
	const entered = context.getNodeParameter('options.allowedIps', '', { rawExpressions: true });
	if (isEmpty(entered)) return undefined;
	const { ip = '' } = context.getRequestObject();
	if (isAllowed(context.getNodeParameter('options.allowedIps', ''), ip)) return undefined;
	return [403, `'Allowed IPs' does not contain ${ip}`];
}

/** n8n has parsed JSON, text, forms and XML. It leaves other types to the node. */
async function readBody({ context }: Delivery): Promise<Answer | undefined> {
	const request = context.getRequestObject();
	if (context.getBodyData() !== undefined || request.rawBody) return undefined;
	return await request.readRawBody().then(
		() => undefined,
		({ status, message }: Error & { status?: number }) => [status === 413 ? 413 : 400, message],
	);
}

function takeNotifications(delivery: Delivery): Answer | undefined {
	const { context, given } = delivery;
	const headers = context.getHeaderData();
	// As n8n does it, which treats a type followed by a space as a different one.
	const contentType = (headers['content-type'] ?? '').split(';')[0]!.toLowerCase();
	const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(headers['content-type'] ?? '') ?? [];
	const { rawBody } = context.getRequestObject();
	const body = context.getBodyData();
	const notifications = toNotifications({ contentType, body, rawBody, charset });
	const { length } = notifications;
	if (length > maxNotifications) return [413, `${length} notifications at once`];

	if (isRegistering(parseToken(given)!)) return undefined;
	const options = context.getNodeParameter('options', {}) as {
		includeHeaders?: boolean;
		match?: { conditions?: Condition[] };
	};
	const more = options.includeHeaders && { headers: { ...headers } };
	delivery.items = notifications
		.filter(({ fields }) => matches(fields, options.match?.conditions ?? []))
		.map(({ json, fields }) => ({
			json: { ...json, _gateway: { ...recognise(fields), ...more } },
		}));
	return undefined;
}

/** In one delivery; more would take gigabytes of items. */
const maxNotifications = 10_000;

/** Where a proxy adds it in a header, or the service repeats it in the body. */
function hideSecret(delivery: Delivery): Answer | undefined {
	const { given, items } = delivery;
	const { secret, sealed } = parseToken(given)!;
	const parts = [given, secret, ...(sealed ? [sealed] : [])].flatMap(spellingsOf);
	try {
		const text = JSON.stringify(items);
		const clean = parts.reduce((rest, part) => rest.replaceAll(part, '***'), text);
		if (clean !== text) delivery.items = jsonParse(clean);
		return undefined;
	} catch {
		return [413, 'nested too deeply to be stored']; // since it cannot be written as JSON
	}
}
