import type { ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../../gateway/authenticate';
import { connectTo } from '../../gateway/client';
import { readWebhook, webhookIn, type Webhook } from '../../gateway/endpoints/webhook';
import { remember } from '../../gateway/memory';
import { showHostsOnly } from '../../gateway/redaction';
import { parseToken, tokenOf } from '../../gateway/triggerToken';
import { isPublicHost } from '../../text/reachable';
import { openDisplaced, sealDisplaced } from '../displaced';
import { sealingKeys, type SealingKeys } from '../seal';
import { digestOf } from '../token';
import { addressOf, withToken } from '../url';
import { readCredential } from './verify';

/** What a delivery is passed on to: an address with what is beneath it, or why it cannot be. */
export type Beneath = { url: string } | { problem: string };

/** By a digest of the token: so the credential is read once for each. */
const known = remember<Promise<Beneath | undefined>>(1_000);

/** In ms: for the service to tell what stands there. */
const timeoutMs = 10_000;

/**
 * What lies beneath a registration that shares, from the token that a delivery has brought; undefined
 * where that is nothing. Never throws.
 *
 * @param given a token of this node, with a valid secret
 */
export async function readBeneath(
	context: IWebhookFunctions,
	given: string,
): Promise<Beneath | undefined> {
	const key = digestOf(given);
	const unread = { problem: 'n8n cannot read the credential' };
	const reading = known.get(key) ?? read(context, given).catch(() => unread);
	known.set(key, reading);
	const beneath = await reading;
	if (beneath && 'problem' in beneath) known.delete(key);
	return beneath;
}

async function read(context: IWebhookFunctions, given: string): Promise<Beneath | undefined> {
	const credential = await readCredential(context);
	const keys = sealingKeys(credential.apiKey, context.getInstanceId());
	const ownAddress = addressOf(context.getNodeWebhookUrl('default')!);
	const token = parseToken(given)!;
	const own: Webhook = { url: withToken(ownAddress, token), enabled: true };
	// Who knows the id of this n8n could seal anything: only what an API key has sealed is believed.
	const { account } = keys;
	const all =
		openDisplaced(own, { account }) ?? (await asRegistered(context, own, credential, keys));
	if (!all) return { problem: 'The previous webhook cannot be read' };

	// In a test, too, n8n names the address of the publication, which is beneath the test.
	const isItself = ({ url }: Webhook) =>
		tokenOf(url)?.secret === token.secret ||
		(token.until === undefined && addressOf(url) === ownAddress);
	const [, ...displaced] = all;
	if (displaced.some(isItself)) {
		context.logger.warn('Skipped an address that leads back to this node');
	}
	const isNext = (each: Webhook) => each.enabled && !isItself(each);
	const [next, ...rest] = displaced.slice(displaced.findIndex(isNext));
	if (!next || !isNext(next)) return undefined;
	const host = URL.canParse(next.url) ? new URL(next.url).hostname : '';
	if (isPublicHost(parseBaseUrl(credential).hostname) && !isPublicHost(host)) {
		return { problem: "A service on the internet can't reach a private network" };
	}
	return { url: sealDisplaced([next, ...rest], keys).url };
}

/** What this n8n alone has sealed, as with another API key of the account: if the service has it, too. */
async function asRegistered(
	context: IWebhookFunctions,
	own: Webhook,
	credential: ICredentialDataDecryptedObject,
	keys: SealingKeys,
): Promise<Webhook[] | undefined> {
	const opened = openDisplaced(own, keys);
	if (!opened) return undefined;
	const client = connectTo(context, credential, showHostsOnly);
	const outcome = await client.attempt(readWebhook(), timeoutMs);
	const webhook = outcome.kind === 'accepted' ? webhookIn(outcome.body) : undefined;
	const registered = (webhook && openDisplaced(webhook, keys)) ?? [];
	const { secret } = tokenOf(own.url)!;
	const place = registered.findIndex(({ url }) => tokenOf(url)?.secret === secret);
	const beneath = JSON.stringify(opened.slice(1));
	return place >= 0 && JSON.stringify(registered.slice(place + 1)) === beneath ? opened : undefined;
}
