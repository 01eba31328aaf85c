import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';

import { remember } from '../gateway/memory';

type Node = Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>;

/** What a node is, whichever of n8n's processes asks, and wherever n8n moves to. */
export function identityOf(context: Node): string {
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
export const digestOf = (secret: string | Buffer): string =>
	createHash('sha256').update(secret).digest('base64url');

/** In constant time: how long it takes says nothing about how much of a guess is right. */
export function isSame(digest: string, other: string | undefined): boolean {
	if (digest.length !== other?.length) return false;
	return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}

/**
 * What is stored of a published node. Nobody depends on it: a delivery is judged by the secret that
 * the credential gives, and what is registered stands at the service. It saves reading the
 * credential, and lets the URL work on whose API key was changed until it is registered anew.
 */
interface Stored {
	/** n8n's address of the webhook, for the watch, which n8n does not tell it. */
	address?: string;
	/** Of the secret that was registered last. */
	digest?: string;
	/** Whether something is to be given back. */
	displaces?: boolean;
	/** Of the node's identity: a copied workflow may bring the static data of the first one. */
	node?: string;
}

type Context = Node & Pick<FunctionsBase, 'getWorkflowStaticData'>;

/** From n8n's static data, which n8n may lose, replace by an older copy, and shows to others. */
export function recall(context: Context): Stored {
	const stored = (context.getWorkflowStaticData('node').webhook ?? {}) as Stored;
	return [nodeOf(context), undefined].includes(stored.node) ? stored : {};
}

export function store(context: Context, news: Omit<Stored, 'node'>): void {
	if (news.digest) learn(context, news.digest);
	const all = { ...recall(context), ...news, node: nodeOf(context) };
	context.getWorkflowStaticData('node').webhook = all;
}

const nodeOf = (context: Context): string => digestOf(identityOf(context)).slice(0, 16);

export function forget(context: Context): void {
	delete context.getWorkflowStaticData('node').webhook;
}

/** In ms: how long a secret still counts that has just been replaced, for deliveries under way. */
const replacedCountsFor = 60_000;

interface Known {
	digest?: string;
	replaced?: { digest?: string; at: number };
}

/** What this process has seen to be right, by node: newer than what is stored. */
const known = remember<Known>(1_000);

const knownOf = (context: Context): Known =>
	known.get(identityOf(context)) ?? { digest: recall(context).digest };

/** A digest that has turned out to be right. */
export function learn(context: Context, digest: string): void {
	const last = knownOf(context);
	const isNews = last.digest !== digest;
	const replaced = { digest: last.digest, at: Date.now() };
	known.set(identityOf(context), isNews ? { digest, replaced } : last);
}

/** Whether a digest is the newest that is known here, or was it a moment ago. */
export function isKnown(context: Context, digest: string): boolean {
	const { digest: newest, replaced } = knownOf(context);
	if (isSame(digest, newest)) return true;
	const stillCounts = replaced !== undefined && Date.now() - replaced.at < replacedCountsFor;
	return stillCounts && isSame(digest, replaced.digest);
}
