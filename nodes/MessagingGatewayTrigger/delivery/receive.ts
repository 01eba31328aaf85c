import {
	jsonParse,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import { accountOf } from '../../account/account';
import { credentialType } from '../../account/credential';
import { redactor } from '../../account/redaction';
import { tokenParameter, parseToken } from '../../account/triggerToken';
import type { DefaultCountry } from '../../text/country';
import { allowsEverybody, isAllowed } from '../../text/ipRange';
import type { TriggerOptions } from '../form';
import { digestOf, isSameDigest, readDigest, secretFor, nodeIdentityOf } from '../identity';
import { publicationOf } from '../publication';
import { openForm } from './multipart';
import { toNotifications, matches, isNamed, isValue, maxNotifications, recognise } from './shape';

/** An answer to a delivery that is not taken. The sender sees the status, n8n's log the reason. */
interface Refusal {
	status: number;
	reason: string;
}

/** Handles a delivery: checks where it comes from, and starts the workflow with its contents. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const tokenText = (context.getQueryData() as IDataObject)[tokenParameter] as string;
	const result =
		(await refuseForged(context, tokenText)) ??
		(await readBody(context)) ??
		refuseDisallowedIp(context) ??
		(await readItems(context, tokenText));
	if (Array.isArray(result)) {
		return { webhookResponse: '', ...(result.length > 0 && { workflowData: [result] }) };
	}
	const { status, reason } = result;
	context.logger.debug(`Answered a delivery with ${status}: ${reason}`);
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

async function refuseForged(
	context: IWebhookFunctions,
	tokenText: string,
): Promise<Refusal | undefined> {
	const reason = `${tokenText ? 'wrong' : 'no'} secret in '${tokenParameter}'`;
	return await isGenuine(context, tokenText).then(
		(isRight) => (isRight ? undefined : { status: 401, reason }),
		({ message }: Error) => ({ status: 500, reason: `the credential cannot be read: ${message}` }),
	);
}

/**
 * Whether a delivery has the secret of this node, or of this test while n8n listens for one.
 *
 * Reads the credential only if the secret is not the one in n8n's static data. After the API key was
 * changed, that one stays valid until n8n stores the new one, as it publishes or starts: no delivery is
 * lost while the new URL is on its way.
 */
export async function isGenuine(context: IWebhookFunctions, tokenText: unknown): Promise<boolean> {
	const token = parseToken(tokenText);
	const isTest = context.getMode() === 'manual';
	if (!token || (token.until !== undefined) !== isTest) return false;
	if (token.until !== undefined && token.until <= Date.now()) return false; // the test is over

	const digest = digestOf(context, token.secret);
	if (!isTest && isSameDigest(digest, readDigest(context))) return true;

	const { apiKey } = await context.getCredentials(credentialType);
	const secret = secretFor(apiKey, nodeIdentityOf(context), token.until);
	return isSameDigest(digest, digestOf(context, secret));
}

/** Reads a body that n8n has not read: n8n parses JSON, text, forms and XML only. */
async function readBody(context: IWebhookFunctions): Promise<Refusal | undefined> {
	const request = context.getRequestObject();
	if (context.getBodyData() !== undefined) return undefined;
	return await request.readRawBody().then(
		() => undefined,
		({ status, message }: Error & { status?: number }) => ({
			status: status === 413 ? 413 : 400,
			reason: message,
		}),
	);
}

/** Checks the client that n8n sees: behind N8N_PROXY_HOPS proxies, the one that they report. */
function refuseDisallowedIp(context: IWebhookFunctions): Refusal | undefined {
	// An expression that returns nothing allows nobody. A field that was left empty allows everybody.
	const entered = context.getNodeParameter('options.allowedIps', '', { rawExpressions: true });
	if (allowsEverybody(entered)) return undefined;
	const { ip = '' } = context.getRequestObject();
	const list = context.getNodeParameter('options.allowedIps', '');
	if (isAllowed(list, ip)) return undefined;
	return { status: 403, reason: `'Allowed IPs' does not contain ${ip}` };
}

/** Returns the workflow's items: none if nothing matches, or while the webhook is being registered. */
async function readItems(
	context: IWebhookFunctions,
	tokenText: string,
): Promise<INodeExecutionData[] | Refusal> {
	const token = parseToken(tokenText)!;
	if (publicationOf(context).pendingSecret === token.secret) return [];
	const request = context.getRequestObject();
	const isForm = request.contentType === 'multipart/form-data';
	const form = isForm ? openForm(context) : undefined;
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const conditions = options.match?.conditions ?? [];
	let country: Promise<DefaultCountry | undefined> | undefined; // by which the account reads numbers
	const find = async (isWanted: (field: string) => boolean) => {
		const body = form ? await form.readFields(isWanted) : context.getBodyData();
		const found = toNotifications(request, body);
		if (found?.some(({ fields }) => isValue(fields.from)))
			country ??= context
				.getCredentials(credentialType)
				.then((credential) => accountOf(credential).defaultCountryCode)
				.catch(() => undefined); // the delivery is not lost
		const known = await country;
		return found
			?.map((each) => ({ ...each, recognised: recognise(each.fields, known) }))
			.filter(({ fields, recognised }) => matches(fields, recognised, conditions));
	};
	let notifications = await find((field) => isNamed(field, conditions));
	if (form && notifications?.length) notifications = await find(() => true);
	if (!notifications) return { status: 413, reason: `more than ${maxNotifications} notifications` };

	const headers = context.getHeaderData();
	const items = notifications.map(({ json, recognised }, index) => {
		// On the first item only: 10,000 items with 12 kB of headers would take hundreds of megabytes.
		const first = options.includeHeaders && index === 0 && { headers: { ...headers } };
		return { json: { ...json, _gateway: { ...recognised, ...first } } };
	});
	const clean = withoutSecrets(items, [tokenText, token.secret]);
	if (form && Array.isArray(clean) && clean[0]) Object.assign(clean[0], await form.store());
	return clean;
}

/** Masks the secrets: a proxy may add one in a header, and the service repeat one in the body. */
function withoutSecrets(
	items: INodeExecutionData[],
	secrets: string[],
): INodeExecutionData[] | Refusal {
	try {
		const text = JSON.stringify(items);
		const clean = redactor(secrets)(text);
		return clean === text ? items : jsonParse(clean);
	} catch {
		return { status: 413, reason: 'nested too deeply to be stored' }; // cannot be written as JSON
	}
}
