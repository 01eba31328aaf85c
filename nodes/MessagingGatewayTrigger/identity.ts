import {
	createCipheriv,
	createDecipheriv,
	createHmac,
	hash,
	hkdfSync,
	randomBytes,
	timingSafeEqual,
} from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';

import type { Webhook } from '../gateway/endpoints/webhook';
import { secretOf } from '../gateway/redaction';
import { formatToken, tokenOf, tokenParameter, type Token } from '../gateway/triggerToken';

type NodeContext = Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>;

/** Identifies a node, in every process of n8n and wherever n8n moves to. */
export function identityOf(context: NodeContext): string {
	const { id, webhookId = id } = context.getNode();
	return JSON.stringify([context.getInstanceId(), context.getWorkflow().id, webhookId]);
}

/**
 * The secret of a node's webhook URL. It is derived, so it is stored nowhere and cannot be lost. Its
 * last bytes show, to who has the API key, that it was derived from that.
 *
 * @param until for a test: when it ends; so each test has a different secret
 * @returns 32 bytes as base64url
 */
export function secretFor(apiKey: unknown, identity: string, until?: number): string {
	const own = hmac(apiKey, `webhook v1\n${until ?? 'production'}\n${identity}`).subarray(0, 24);
	return Buffer.concat([own, markOf(apiKey, own)]).toString('base64url');
}

/** Whether a secret was derived from this API key, for whichever node. */
export function isFrom(apiKey: unknown, secret: string): boolean {
	const bytes = Buffer.from(secret, 'base64url');
	return bytes.subarray(24).equals(markOf(apiKey, bytes.subarray(0, 24)));
}

const markOf = (apiKey: unknown, own: Buffer): Buffer =>
	hmac(apiKey, `key v1\n${own.toString('base64url')}`).subarray(0, 8);

/**
 * How triggers that share vouch to the next trigger for the address that a body came from. Who has seen
 * that trigger's URL cannot.
 *
 * @param secret of the trigger that the delivery is passed on to
 */
export function vouchFor(apiKey: unknown, secret: string) {
	const key = hmac(apiKey, `vouch v1\n${secret}`);
	return (address: string, body: Buffer): string =>
		createHmac('sha256', key).update(`${address}\n`).update(body).digest('base64url');
}

const hmac = (apiKey: unknown, text: string): Buffer =>
	createHmac('sha256', secretOf(apiKey)).update(`messaging-gateway ${text}`).digest();

/** Represents a secret where others can read it. */
export const digestOf = (secret: string | Buffer): string => hash('sha256', secret, 'base64url');

/** In constant time, so that the duration does not reveal how much of a guess is right. */
export function isSame(digest: string, other: string | undefined): boolean {
	if (digest.length !== other?.length) return false;
	return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}

/**
 * What n8n stores of a published node, or of a test. Nothing depends on it: the credential gives the
 * secret, and the service has the registration. It saves reading the credential, and after the API key
 * was changed, it keeps the old URL working until the new one is registered.
 */
interface Stored {
	v: 1;
	/** n8n's address of the webhook, which n8n does not give to the watch. */
	address?: string;
	/** Of the secret registered last. */
	digest?: string;
	/** Whether there is something to give back. */
	displaces?: boolean;
	/** Whether this is a test that has begun to register, and so has to give the webhook back. */
	borrows?: boolean;
	/** Of the identity, because a copied workflow may bring the original's static data. */
	node: string;
}

export type StoringContext = NodeContext & Pick<FunctionsBase, 'getWorkflowStaticData'>;

/** n8n's static data of the node, which n8n shows to users, and may lose or replace with an older copy. */
export const staticData = {
	read(context: StoringContext): Partial<Stored> {
		const stored = (context.getWorkflowStaticData('node').webhook ?? {}) as Partial<Stored>;
		return stored.v === 1 && stored.node === nodeOf(context) ? stored : {};
	},

	add(context: StoringContext, news: Omit<Stored, 'v' | 'node'>): void {
		const all = { ...staticData.read(context), ...news, v: 1, node: nodeOf(context) };
		context.getWorkflowStaticData('node').webhook = all;
	},

	clear(context: StoringContext): void {
		delete context.getWorkflowStaticData('node').webhook;
	},
};

const nodeOf = (context: NodeContext): string => digestOf(identityOf(context)).slice(0, 16);

/** A URL without its query, and so without its secret. */
export function addressOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** Adds a token to an address, or the mark that nothing is registered. */
export function withToken(address: string, token: Token | 'off'): string {
	const url = new URL(address);
	url.searchParams.set(tokenParameter, token === 'off' ? token : formatToken(token));
	return url.href;
}

/** Whether a node that had nothing to give back has left this behind. */
export const isOff = ({ url }: Webhook): boolean =>
	URL.canParse(url) && new URL(url).searchParams.get(tokenParameter) === 'off';

/** The part of a URL that people may see. */
export function hostOf(url: string): string {
	return (URL.canParse(url) && new URL(url).host) || 'something that is not a web address';
}

/**
 * A registration carries what it has displaced in its URL, sealed. So any trigger of this account and
 * n8n can give that back, even after the process that displaced it has died. Where it shares, any n8n
 * with the same API key can, and only they can have sealed it.
 *
 * A chain is a list of webhooks: the one in force, then the ones it has displaced, latest first.
 */
const keyFor = ({ shares }: Token) => (shares ? 'account' : 'n8n');

/** Packs a chain into the one webhook that the service stores. */
export function sealDisplaced(
	[inForce, ...displaced]: [Webhook, ...Webhook[]],
	keys: SealingKeys,
): Webhook {
	const token = tokenOf(inForce.url);
	if (!token || token.sealed || displaced.length === 0) return inForce;
	// Kept short: `+` means on, `-` means off.
	const text = JSON.stringify(displaced.map(({ url, enabled }) => (enabled ? '+' : '-') + url));
	const sealed = seal(text, keys[keyFor(token)], formatToken(token));
	return { ...inForce, url: withToken(inForce.url, { ...token, sealed }) };
}

/** The chain in a webhook; undefined if its seal does not open with these keys. */
export function openDisplaced(webhook: Webhook, keys: Partial<SealingKeys>): Webhook[] | undefined {
	const token = tokenOf(webhook.url);
	if (!token?.sealed) return [webhook];
	const key = keys[keyFor(token)];
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

/** The keys of all triggers of one account and one n8n. */
interface SealingKeys {
	/**
	 * Derived from the id of this n8n alone, so that triggers of one account with different API keys
	 * can give back what the other has displaced.
	 */
	n8n: Buffer;
	/** Derived from the API key alone: any n8n with that key has it, and nobody else. */
	account: Buffer;
}

export function sealingKeys(apiKey: unknown, instanceId: string): SealingKeys {
	const derive = (secret: string, use: string): Buffer =>
		Buffer.from(hkdfSync('sha256', secret, '', `messaging-gateway ${use}`, 32));
	return {
		n8n: derive(instanceId, 'displaced webhooks'),
		account: derive(secretOf(apiKey), 'shared webhooks'),
	};
}

/** Encrypts and authenticates a text: AES-256-GCM. @param label needed to open it */
export function seal(text: string, key: Buffer, label: string): string {
	const nonce = randomBytes(nonceLength);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label));
	const parts = [nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()];
	return Buffer.concat(parts).toString('base64url');
}

/** Undefined if it was sealed with another key or another label, or changed since. */
export function unseal(sealed: string, key: Buffer, label: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	try {
		const nonce = bytes.subarray(0, nonceLength);
		const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
			.setAAD(Buffer.from(label))
			.setAuthTag(bytes.subarray(-tagLength));
		const plain = decipher.update(bytes.subarray(nonceLength, -tagLength));
		return Buffer.concat([plain, decipher.final()]).toString();
	} catch {
		return undefined;
	}
}

const [nonceLength, tagLength] = [12, 16];
