import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';

import type { Webhook } from '../../gateway/endpoints/webhook';
import { secretOf } from '../../gateway/redaction';
import { formatToken, tokenOf, tokenParameter, type Token } from '../../gateway/triggerToken';

// A registered URL is n8n's address with a token. The webhook to give back is sealed in the token. So any
// trigger with the same API key can give that back, even after the process that registered it has died.

/** The webhook to give back: null if there is none, undefined if it is not known. */
export type Remembered = Webhook | null | undefined;

/** Returns a URL without its query, and so without its secret. */
export function addressOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** Returns the part of a URL that people may see. */
export function hostOf(url: string): string {
	return (URL.canParse(url) && new URL(url).host) || 'something that is not a web address';
}

/** Adds a token to an address, or the mark that nothing is registered. */
export function withToken(address: string, token: Token | 'off'): string {
	const url = new URL(address);
	url.searchParams.set(tokenParameter, token === 'off' ? token : formatToken(token));
	return url.href;
}

/** Whether a trigger that had nothing to give back has left this webhook behind. */
export const isOff = ({ url }: Webhook): boolean =>
	URL.canParse(url) && new URL(url).searchParams.get(tokenParameter) === 'off';

/** Returns the key of all triggers with this API key, in any n8n. */
export const sealingKeyOf = (apiKey: unknown): Buffer =>
	Buffer.from(hkdfSync('sha256', secretOf(apiKey), '', 'messaging-gateway remembered webhook', 32));

const [nonceLength, tagLength] = [12, 16];

/** Puts a webhook into a trigger's URL instead of the one that is there: AES-256-GCM, bound to the URL. */
export function remember(url: string, webhook: Remembered, key: Buffer): string {
	const token = { ...tokenOf(url)!, sealed: undefined };
	const plainUrl = withToken(url, token);
	if (!webhook) return plainUrl;
	const nonce = randomBytes(nonceLength);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(plainUrl));
	const text = cipher.update((webhook.enabled ? '+' : '-') + webhook.url);
	const sealed = Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]);
	return withToken(url, { ...token, sealed: sealed.toString('base64url') });
}

/** Returns the webhook in a trigger's URL, null if there is none, undefined if it has another key. */
export function recall(url: string, key: Buffer): Remembered {
	const token = tokenOf(url);
	if (!token?.sealed) return null;
	const sealed = Buffer.from(token.sealed, 'base64url');
	try {
		const nonce = sealed.subarray(0, nonceLength);
		const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
			.setAAD(Buffer.from(withToken(url, { ...token, sealed: undefined })))
			.setAuthTag(sealed.subarray(-tagLength));
		const bytes = decipher.update(sealed.subarray(nonceLength, -tagLength));
		const text = Buffer.concat([bytes, decipher.final()]).toString();
		const webhook = { url: text.slice(1), enabled: text.startsWith('+') };
		// What is no web address could never be given back: the service would refuse it.
		const isUrl = URL.canParse(webhook.url) && new URL(webhook.url).protocol.startsWith('http');
		return isUrl ? webhook : null;
	} catch {
		return undefined;
	}
}
