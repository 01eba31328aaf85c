import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { inProcess } from '../../gateway/inProcess';
import { ticks } from '../../gateway/pacing/clock';
import { parseToken } from '../../gateway/triggerToken';
import { noteAnswer } from '../registration/missing';
import { digestOf, hostOf } from '../identity';
import { failed, passOn, type Answer, type PassedOn } from './passOn';
import { findTarget } from './target';

/** In ms: how long after a delivery was not accepted it may be repeated. */
const repeatedWithin = 3_600_000;

/**
 * When the workflow was started for a delivery that the service has not seen accepted, in ticks, by a
 * digest. Nothing else tells a repeated delivery from a new one: nothing in a body is known to be its
 * own, and people send the same text twice.
 */
const unaccepted = inProcess.map<number>(20_000);

/**
 * Passes a delivery on to the displaced webhook, whose answer goes to the service, and starts the
 * workflow unless the service is repeating the delivery.
 *
 * @param given the token of the delivery, already verified
 * @param items what the workflow starts with
 */
export async function share(
	context: IWebhookFunctions,
	given: string,
	items: INodeExecutionData[],
): Promise<IWebhookResponseData> {
	const key = items.length > 0 ? keyOf(context, given) : undefined;
	const at = ticks();
	const isUnaccepted = () => at - (unaccepted.get(key!) ?? -Infinity) < repeatedWithin;
	const mayBeRepeated = key !== undefined && isUnaccepted();
	if (key && !mayBeRepeated) unaccepted.set(key, at);

	const passedOn = await passOnFrom(context, given);
	const isRepeated = mayBeRepeated && isUnaccepted(); // or it has been accepted meanwhile
	if (isRepeated) context.logger.info('Started nothing: this delivery is being repeated');
	answerWith(context, passedOn?.answer, (mayBeRepeatedAgain) => {
		if (!key) return;
		if (!mayBeRepeatedAgain) unaccepted.delete(key);
		else if (!isRepeated) unaccepted.set(key, at);
	});
	if (items.length === 0 || isRepeated) return { webhookResponse: '' };
	const forwarded = passedOn && { forwarded: passedOn.forwarded };
	const json = items.map((item) => ({
		json: { ...item.json, _gateway: { ...(item.json._gateway as object), ...forwarded } },
	}));
	return { webhookResponse: '', workflowData: [json] };
}

/** Undefined if nothing was displaced. */
async function passOnFrom(
	context: IWebhookFunctions,
	given: string,
): Promise<PassedOn | undefined> {
	const target = await findTarget(context, given);
	if (!target) return undefined;
	const passedOn =
		'url' in target ? await passOn(context, target, given) : failed(502, target.problem);
	if ('vouchingKey' in target && noteAnswer(target.url, passedOn.answer)) {
		context.logger.warn(
			`A delivery was lost at ${hostOf(target.url)}: a trigger that gets it from here is not published any more. The next check takes it out.`,
		);
	}
	const { forwarded } = passedOn;
	if ('problem' in forwarded) {
		const { host = 'the previous webhook', problem } = forwarded;
		context.logger.warn(`Did not pass a delivery on to ${host}: ${problem}`);
	}
	return passedOn;
}

/** Undefined for a form with files, whose bytes n8n does not keep. A test has its own secret. */
function keyOf(context: IWebhookFunctions, given: string): string | undefined {
	const { rawBody } = context.getRequestObject();
	const type = context.getHeaderData()['content-type'] ?? '';
	const { secret } = parseToken(given)!;
	return rawBody && digestOf([secret, type, digestOf(rawBody)].join('\n'));
}

/**
 * Replaces the answer that n8n sends once it has taken the delivery over. No setting of n8n does: it
 * reads the status before `webhook`, `noWebhookResponse` is too early, and 'responseNode' too late.
 *
 * @param answer undefined: n8n's own
 * @param onEnd whether the workflow starts without the service seeing that, so that it may repeat this
 */
function answerWith(
	context: IWebhookFunctions,
	answer: Answer | undefined,
	onEnd: (mayBeRepeated: boolean) => void,
): void {
	const response = context.getResponseObject();
	const send = response.send.bind(response);
	response.send = (own) => {
		const isTaken = response.statusCode === 200;
		if (isTaken && answer) response.statusCode = answer.status;
		const isAccepted = response.statusCode >= 200 && response.statusCode < 300;
		onEnd(isTaken && (!isAccepted || response.destroyed));
		if (!isTaken || !answer) return send(own);
		for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
		return response.end(answer.body);
	};
}
