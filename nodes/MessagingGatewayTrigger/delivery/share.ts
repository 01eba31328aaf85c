import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { accountOf } from '../../gateway/account';
import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/maps';
import { ticks } from '../../gateway/pacing/time';
import { parseToken, tokenOf } from '../../gateway/triggerToken';
import { isReachable } from '../../gateway/addresses';
import {
	addressOf,
	digestOf,
	hostOf,
	openDisplaced,
	sealDisplaced,
	sealingKeys,
	withToken,
} from '../identity';
import { noteAnswer } from '../registration/look';
import { failed, passOn, type Answer, type PassedOn, type Target } from './passOn';
import { readCredential } from './verify';

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
		else if (mayBeRepeated && !isRepeated) unaccepted.set(key, at);
	});
	if (items.length === 0 || isRepeated) return { webhookResponse: '' };
	const forwarded = passedOn && { forwarded: passedOn.forwarded };
	const json = items.map((item) => ({
		json: { ...item.json, _gateway: { ...(item.json._gateway as object), ...forwarded } },
	}));
	return { webhookResponse: '', workflowData: [json] };
}

/** Undefined if nothing was displaced. */
async function passOnFrom(context: IWebhookFunctions, given: string) {
	const target = await findTarget(context, given);
	if (!target) return undefined;
	const passedOn = 'url' in target ? await passOn(context, target, given) : target;
	if ('secret' in target && noteAnswer(target.url, passedOn.answer) > 0) {
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

/** Nothing was displaced, or why that gets no deliveries. */
type Found = Target | PassedOn | undefined;

/** By a digest of the token: after the API key has changed, nothing else can read it until the URL is renewed. */
const known = inProcess.map<Promise<Found>>(1_000);

/**
 * The webhook that a sharing registration has displaced, from the token of a delivery; undefined if
 * there is none. Never throws.
 *
 * @param given a token of this node, with a valid secret
 */
async function findTarget(context: IWebhookFunctions, given: string): Promise<Found> {
	const key = digestOf(given);
	const unread = failed(502, 'n8n cannot read the credential');
	const reading = known.get(key) ?? read(context, given).catch(() => unread);
	known.set(key, reading);
	const target = await reading;
	if (target && !('url' in target)) known.delete(key);
	return target;
}

async function read(context: IWebhookFunctions, given: string): Promise<Found> {
	const credential = await readCredential(context);
	const keys = sealingKeys(credential.apiKey, context.getInstanceId());
	const ownAddress = addressOf(context.getNodeWebhookUrl('default')!);
	const token = parseToken(given)!;
	// Anybody who knows the id of this n8n could seal something, so only the account's key is trusted.
	const { account } = keys;
	const chain = openDisplaced({ url: withToken(ownAddress, token), enabled: true }, { account });
	if (!chain) return failed(502, 'The previous webhook cannot be read');

	// In a test, too, n8n gives the address of the published node, which the test has displaced.
	const isThisNode = ({ url }: Webhook) =>
		tokenOf(url)?.secret === token.secret ||
		(token.until === undefined && addressOf(url) === ownAddress);
	const [, ...displaced] = chain;
	if (displaced.some(isThisNode)) {
		context.logger.warn('Skipped an address that leads back to this node');
	}
	const isNext = (each: Webhook) => each.enabled && !isThisNode(each);
	const [next, ...rest] = displaced.slice(displaced.findIndex(isNext));
	if (!next || !isNext(next)) return undefined;
	const hostname = URL.canParse(next.url) ? new URL(next.url).hostname : '';
	if (!isReachable({ hostname }, accountOf(credential).baseUrl.origin))
		return failed(502, "A service on the internet can't reach a private network");
	const secret = tokenOf(next.url)?.secret;
	return {
		url: sealDisplaced([next, ...rest], keys).url,
		...(secret && { secret }),
	};
}
