import type { FunctionsBase } from 'n8n-workflow';
import { createHmac, hash, timingSafeEqual } from 'crypto';

import { secretOf } from '../account/redaction';

/** Identifies a node, in every process of n8n and wherever n8n moves to. */
export function nodeIdentityOf(context: FunctionsBase): string {
	const { id, webhookId = id } = context.getNode();
	return JSON.stringify([context.getInstanceId(), context.getWorkflow().id, webhookId]);
}

/**
 * Returns the secret of a node's webhook URL. It is derived, so it is stored nowhere and cannot be lost.
 *
 * @param until for a test: when it ends; so each test has a different secret
 * @returns 32 bytes as base64url
 */
export const secretFor = (apiKey: unknown, identity: string, until?: number): string =>
	createHmac('sha256', secretOf(apiKey))
		.update(`messaging-gateway webhook v1\n${until ?? 'production'}\n${identity}`)
		.digest('base64url');

/**
 * Returns a digest that stands for a node's secret where others can read it. It is the node's own, because
 * a copied workflow may bring the original's static data.
 */
export const digestOf = (context: FunctionsBase, secret: string): string =>
	hash('sha256', `${nodeIdentityOf(context)}\n${secret}`, 'base64url');

/** Compares in constant time, so that the duration does not show how much of a guess is right. */
export function isSameDigest(digest: string, other: string | undefined): boolean {
	if (digest.length !== other?.length) return false;
	return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}

/**
 * Returns the digest of the secret that a node has registered last, from n8n's static data, which n8n shows
 * to users, and may lose or bring back an older copy of. Nothing depends on it: it saves reading the
 * credential, and after the API key was changed, it keeps the old URL working until the new one is
 * registered.
 */
export function readDigest(context: FunctionsBase): string | undefined {
	const { webhook = {} } = context.getWorkflowStaticData('node');
	const { v, digest } = webhook as { v?: 1; digest?: string };
	return v === 1 ? digest : undefined;
}

/** @param digest undefined: the node has no registration any more */
export function storeDigest(context: FunctionsBase, digest?: string): void {
	context.getWorkflowStaticData('node').webhook = digest && { v: 1, digest };
}
