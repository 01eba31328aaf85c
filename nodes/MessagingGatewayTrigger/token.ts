import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';

import { secretOf } from '../gateway/secret';

export type NodeContext = Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>;

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
 * With it, triggers that share vouch to the next trigger for where a delivery came from. Who has seen
 * that trigger's URL does not have it.
 *
 * @param secret of the trigger that the delivery is passed on to
 */
export const vouchingKey = (apiKey: unknown, secret: string): Buffer =>
	hmac(apiKey, `vouch v1\n${secret}`);

/** Says that a trigger has got this body from this address. */
export const vouchFor = (key: Buffer, address: string, body: Buffer): string =>
	createHmac('sha256', key).update(`${address}\n`).update(body).digest('base64url');

const hmac = (apiKey: unknown, text: string): Buffer =>
	createHmac('sha256', secretOf(apiKey))
		.update(`messaging-gateway ${text}`)
		.digest();

/** Represents a secret where others can read it. */
export const digestOf = (secret: string | Buffer): string =>
	createHash('sha256').update(secret).digest('base64url');

/** In constant time, so that the duration does not reveal how much of a guess is right. */
export function isSame(digest: string, other: string | undefined): boolean {
	if (digest.length !== other?.length) return false;
	return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}
