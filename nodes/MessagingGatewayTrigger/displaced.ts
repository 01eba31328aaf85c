import type { Webhook } from '../gateway/endpoints/webhook';
import { formatToken, tokenOf, type Token } from '../gateway/triggerToken';
import { seal, unseal, type SealingKeys } from './seal';
import { withToken } from './url';

/**
 * A registration carries what it has displaced in its URL, sealed. So any trigger of this account and
 * n8n can give that back, even after the process that displaced it has died. Where it shares, any n8n
 * with the same API key can, and only they can have sealed it.
 *
 * A chain is a list of webhooks: the one in force, then the ones it has displaced, latest first.
 */
const keyFor = ({ shares }: Token, keys: Partial<SealingKeys>): Buffer | undefined =>
	shares ? keys.account : keys.n8n;

/** Packs a chain into the one webhook that the service stores. */
export function sealDisplaced(
	[inForce, ...displaced]: [Webhook, ...Webhook[]],
	keys: SealingKeys,
): Webhook {
	const token = tokenOf(inForce.url);
	if (!token || token.sealed || displaced.length === 0) return inForce;
	// Kept short: `+` means on, `-` means off.
	const text = JSON.stringify(displaced.map(({ url, enabled }) => (enabled ? '+' : '-') + url));
	const sealed = seal(text, keyFor(token, keys)!, formatToken(token));
	return { ...inForce, url: withToken(inForce.url, { ...token, sealed }) };
}

/** The chain in a webhook; undefined if its seal does not open with these keys. */
export function openDisplaced(webhook: Webhook, keys: Partial<SealingKeys>): Webhook[] | undefined {
	const token = tokenOf(webhook.url);
	if (!token?.sealed) return [webhook];
	const key = keyFor(token, keys);
	const text = key && unseal(token.sealed, key, formatToken({ ...token, sealed: undefined }));
	if (text === undefined) return undefined;
	const displaced = (JSON.parse(text) as string[]).flatMap((entry) => {
		const each = { url: entry.slice(1), enabled: entry.startsWith('+') };
		return openDisplaced(each, keys) ?? [each]; // sealed with another key
	});
	return [withoutSeal(webhook), ...displaced];
}

export function withoutSeal(webhook: Webhook): Webhook {
	const token = tokenOf(webhook.url);
	if (!token?.sealed) return webhook;
	return { ...webhook, url: withToken(webhook.url, { ...token, sealed: undefined }) };
}
