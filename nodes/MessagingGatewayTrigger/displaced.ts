import type { Webhook } from '../gateway/endpoints/webhook';
import { formatToken, tokenOf } from '../gateway/triggerToken';
import { seal, sealForAccount, unseal, type SealingKeys } from './seal';
import { withToken } from './url';

/**
 * What a registration has displaced travels in its URL, sealed. So whatever becomes of the process
 * that displaced something, any trigger of the account and this n8n can give it back.
 *
 * Webhooks in a list: the one in force first, then those that it has displaced, the latest first.
 */

/** The list as the one webhook that stands at the service. */
export function sealDisplaced(
	[inForce, ...displaced]: [Webhook, ...Webhook[]],
	keys: SealingKeys,
): Webhook {
	const token = tokenOf(inForce.url);
	if (!token || token.sealed || displaced.length === 0) return inForce;
	// As short as can be: `+` for what is on, `-` for what is off.
	const text = JSON.stringify(displaced.map(({ url, enabled }) => (enabled ? '+' : '-') + url));
	const sealed = (token.shares ? sealForAccount : seal)(text, keys, formatToken(token));
	return { ...inForce, url: withToken(inForce.url, { ...token, sealed }) };
}

/** The list in a webhook; undefined where something is sealed that these keys do not open. */
export function openDisplaced(webhook: Webhook, keys: Partial<SealingKeys>): Webhook[] | undefined {
	const token = tokenOf(webhook.url);
	if (!token?.sealed) return [webhook];
	const text = unseal(token.sealed, keys, formatToken({ ...token, sealed: undefined }));
	if (text === undefined) return undefined;
	const displaced = (JSON.parse(text) as string[]).flatMap((entry) => {
		const each = { url: entry.slice(1), enabled: entry.startsWith('+') };
		return openDisplaced(each, keys) ?? [each]; // sealed by another n8n
	});
	return [withoutSeal(webhook), ...displaced];
}

export function withoutSeal(webhook: Webhook): Webhook {
	const token = tokenOf(webhook.url);
	if (!token?.sealed) return webhook;
	return { ...webhook, url: withToken(webhook.url, { ...token, sealed: undefined }) };
}
