import type { IWebhookFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../../gateway/authenticate';
import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/inProcess';
import { parseToken, tokenOf } from '../../gateway/triggerToken';
import { reachesHost } from '../../text/reachable';
import {
	addressOf,
	digestOf,
	openDisplaced,
	sealDisplaced,
	vouchingKey,
	withToken,
} from '../identity';
import { sealingKeys } from '../seal';
import { readCredential } from './verify';

/**
 * Where deliveries are passed on to, with the rest of the chain sealed in the URL, and a key if that is
 * a trigger; or why not.
 */
export type Target = { url: string; vouchingKey?: Buffer } | { problem: string };

/** By a digest of the token, so that the credential is read once for each. */
const known = inProcess.map<Promise<Target | undefined>>(1_000);

/**
 * The webhook that a sharing registration has displaced, from the token of a delivery; undefined if
 * there is none. Never throws.
 *
 * @param given a token of this node, with a valid secret
 */
export async function findTarget(
	context: IWebhookFunctions,
	given: string,
): Promise<Target | undefined> {
	const key = digestOf(given);
	const unread = { problem: 'n8n cannot read the credential' };
	const reading = known.get(key) ?? read(context, given).catch(() => unread);
	known.set(key, reading);
	const target = await reading;
	if (target && 'problem' in target) known.delete(key);
	return target;
}

async function read(context: IWebhookFunctions, given: string): Promise<Target | undefined> {
	const credential = await readCredential(context);
	const keys = sealingKeys(credential.apiKey, context.getInstanceId());
	const ownAddress = addressOf(context.getNodeWebhookUrl('default')!);
	const token = parseToken(given)!;
	// Anybody who knows the id of this n8n could seal something, so only the account's key is trusted.
	const { account } = keys;
	const chain = openDisplaced({ url: withToken(ownAddress, token), enabled: true }, { account });
	if (!chain) return { problem: 'The previous webhook cannot be read' };

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
	const host = URL.canParse(next.url) ? new URL(next.url).hostname : '';
	if (!reachesHost(parseBaseUrl(credential).origin, host)) {
		return { problem: "A service on the internet can't reach a private network" };
	}
	const secret = tokenOf(next.url)?.secret;
	return {
		url: sealDisplaced([next, ...rest], keys).url,
		...(secret && { vouchingKey: vouchingKey(credential.apiKey, secret) }),
	};
}
