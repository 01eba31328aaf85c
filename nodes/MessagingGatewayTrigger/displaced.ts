import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

import type { Webhook } from '../gateway/endpoints/webhook';
import { formatToken, tokenOf } from '../gateway/triggerToken';
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
	const sealed = seal(text, keys, formatToken(token));
	return { ...inForce, url: withToken(inForce.url, { ...token, sealed }) };
}

/** The list in a webhook; undefined where something is sealed that does not open. */
export function openDisplaced(webhook: Webhook, keys: SealingKeys): Webhook[] | undefined {
	const token = tokenOf(webhook.url);
	if (!token?.sealed) return [webhook];
	const text = unseal(token.sealed, keys, formatToken({ ...token, sealed: undefined }));
	if (text === undefined) return undefined;
	const displaced = (JSON.parse(text) as string[]).map((entry) => ({
		url: entry.slice(1),
		enabled: entry.startsWith('+'),
	}));
	return [withoutSeal(webhook), ...displaced];
}

export function withoutSeal(webhook: Webhook): Webhook {
	const token = tokenOf(webhook.url);
	if (!token?.sealed) return webhook;
	return { ...webhook, url: withToken(webhook.url, { ...token, sealed: undefined }) };
}

const [nonceLength, tagLength] = [12, 16];

/**
 * The keys of all triggers of one n8n: the first one seals, each may open. It follows from the id of
 * the n8n alone, so that triggers with different API keys of one account can give back what the
 * other has displaced. The second is of registrations from before, which followed from the API key.
 */
export type SealingKeys = [Buffer, ...Buffer[]];

export function sealingKeys(apiKey: unknown, instanceId: string): SealingKeys {
	const derive = (secret: string, salt: string, use: string): Buffer =>
		Buffer.from(hkdfSync('sha256', secret, salt, use, 32));
	return [
		derive(instanceId, '', 'messaging-gateway displaced webhooks v2'),
		derive(String(apiKey ?? '').trim(), instanceId, 'messaging-gateway displaced webhooks v1'),
	];
}

/** Encrypts and authenticates a text (AES-256-GCM). @param label opens with this one only */
export function seal(text: string, [key]: SealingKeys, label: string): string {
	const nonce = randomBytes(nonceLength);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
	const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
	return Buffer.concat(sealed).toString('base64url');
}

/** Undefined for what was sealed with another key or label, or changed since. */
export const unseal = (sealed: string, keys: SealingKeys, label: string): string | undefined =>
	keys.map((key) => decrypt(sealed, key, label)).find((text) => text !== undefined);

function decrypt(sealed: string, key: Buffer, label: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	try {
		const nonce = bytes.subarray(0, nonceLength);
		const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
			.setAAD(Buffer.from(label))
			.setAuthTag(bytes.subarray(-tagLength));
		const text = decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8');
		return text + decipher.final('utf8');
	} catch {
		return undefined;
	}
}
