import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';

/** What a node is, whichever of n8n's processes asks, and wherever n8n moves to. */
export function identityOf(
	context: Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>,
): string {
	const { id, webhookId = id } = context.getNode();
	return JSON.stringify([context.getInstanceId(), context.getWorkflow().id, webhookId]);
}

/**
 * The secret of a node's webhook URL: derived, so that it is stored nowhere and cannot be lost.
 *
 * @param until of a test: when it is over; each test has a secret of its own
 * @returns 32 bytes as base64url
 */
export function secretFor(apiKey: unknown, identity: string, until?: number): string {
	return createHmac('sha256', String(apiKey ?? '').trim())
		.update(`messaging-gateway webhook v1\n${until ?? 'production'}\n${identity}`)
		.digest('base64url');
}

/** What may be kept of a secret where others can read it. */
export const digestOf = (secret: string): string =>
	createHash('sha256').update(secret).digest('base64url');

/** In constant time: how long it takes says nothing about how much of a guess is right. */
export function isSame(digest: string, other: string | undefined): boolean {
	if (digest.length !== other?.length) return false;
	return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}
