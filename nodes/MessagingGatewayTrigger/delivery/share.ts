import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { remember } from '../../gateway/memory';
import { parseToken } from '../../gateway/triggerToken';
import { digestOf } from '../token';
import { readBeneath } from './beneath';
import { failed, passOn, type Answer, type PassedOn } from './passOn';

/** In ms: how long a delivery that comes again starts nothing. */
const sameFor = 3_600_000;

/** When each delivery came first, in ms since 1970, by a digest. */
const seen = remember<number>(20_000);

/**
 * Passes a delivery on to what the registration has displaced, answers what that answers, and starts
 * the workflow, unless the service repeats the delivery.
 *
 * @param given the token that came with it, which was found genuine
 * @param items what the workflow is to start with
 */
export async function share(
	context: IWebhookFunctions,
	given: string,
	items: INodeExecutionData[],
): Promise<IWebhookResponseData> {
	const key = items.length > 0 ? keyOf(context, given) : undefined;
	const isRepeated = key !== undefined && Date.now() - (seen.get(key) ?? 0) < sameFor;
	if (isRepeated) context.logger.info('Started nothing: the same delivery came within an hour');
	else if (key) seen.set(key, Date.now());

	const passedOn = await passOnFrom(context, given);
	const isTaken = items.length > 0 && !isRepeated;
	answerWith(context, passedOn?.answer, () => isTaken && key && seen.delete(key));
	if (!isTaken) return { webhookResponse: '' };
	const forwarded = passedOn && { forwarded: passedOn.forwarded };
	const json = items.map((item) => ({
		json: { ...item.json, _gateway: { ...(item.json._gateway as object), ...forwarded } },
	}));
	return { webhookResponse: '', workflowData: [json] };
}

/** Undefined: there is nobody to pass it on to. */
async function passOnFrom(
	context: IWebhookFunctions,
	given: string,
): Promise<PassedOn | undefined> {
	const beneath = await readBeneath(context, given);
	if (!beneath) return undefined;
	const passedOn =
		'url' in beneath
			? await passOn(context, beneath.url, digestOf(given).slice(0, 16))
			: failed(502, beneath.problem);
	const { forwarded } = passedOn;
	if ('problem' in forwarded) {
		const { host = 'the previous webhook', problem } = forwarded;
		context.logger.warn(`Did not pass a delivery on to ${host}: ${problem}`);
	}
	return passedOn;
}

/** Of a form with files n8n keeps no bytes; a test has a secret of its own. */
function keyOf(context: IWebhookFunctions, given: string): string | undefined {
	const { rawBody } = context.getRequestObject();
	const type = context.getHeaderData()['content-type'] ?? '';
	const { secret } = parseToken(given)!;
	return rawBody && digestOf([secret, type, digestOf(rawBody)].join('\n'));
}

/**
 * n8n sends its own answer when it has taken the execution over: that is the moment for this one. So
 * what n8n could not take is not answered as done, and the service repeats it.
 *
 * @param answer undefined: n8n's own
 * @param onRefusal when n8n could not take it
 */
function answerWith(
	context: IWebhookFunctions,
	answer: Answer | undefined,
	onRefusal: () => void,
): void {
	const response = context.getResponseObject();
	const send = response.send.bind(response);
	response.send = (own) => {
		if (response.statusCode !== 200) onRefusal();
		if (!answer || response.statusCode !== 200) return send(own);
		response.statusCode = answer.status;
		for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
		return response.end(answer.body);
	};
}
