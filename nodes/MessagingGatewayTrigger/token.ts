import { createHash, createHmac, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';

import { remember } from '../gateway/memory';

type Node = Pick<FunctionsBase, 'getInstanceId' | 'getNode' | 'getWorkflow'>;

/** Identifies a node, in every process of n8n and wherever n8n moves to. */
export function identityOf(context: Node): string {
	const { id, webhookId = id } = context.getNode();
	return JSON.stringify([context.getInstanceId(), context.getWorkflow().id, webhookId]);
}

/**
 * The secret of a node's webhook URL. It is derived, so it is stored nowhere and cannot be lost.
 *
 * @param until for a test: when it ends; so each test has a different secret
 * @returns 32 bytes as base64url
 */
export function secretFor(apiKey: unknown, identity: string, until?: number): string {
	return createHmac('sha256', String(apiKey ?? '').trim())
		.update(`messaging-gateway webhook v1\n${until ?? 'production'}\n${identity}`)
		.digest('base64url');
}

/** Represents a secret where others can read it. */
export const digestOf = (secret: string | Buffer): string =>
	createHash('sha256').update(secret).digest('base64url');

/** In constant time, so that the duration does not reveal how much of a guess is right. */
export function isSame(digest: string, other: string | undefined): boolean {
	if (digest.length !== other?.length) return false;
	return timingSafeEqual(Buffer.from(digest), Buffer.from(other));
}

/**
 * What is stored of a published node. Nothing depends on it: the credential gives the secret, and the
 * service has the registration. It saves reading the credential, and after the API key was changed, it
 * keeps the old URL working until the new one is registered.
 */
interface Stored {
	/** n8n's address of the webhook, which n8n does not give to the watch. */
	address?: string;
	/** Of the secret registered last. */
	digest?: string;
	/** Whether there is something to give back. */
	displaces?: boolean;
	/** Of the identity, because a copied workflow may bring the original's static data. */
	node?: string;
}

type Context = Node & Pick<FunctionsBase, 'getWorkflowStaticData'>;

/** From n8n's static data, which n8n shows to users, and may lose or replace with an older copy. */
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

/** In ms: how long a replaced secret stays valid, for deliveries under way. */
const replacedCountsFor = 60_000;

interface Known {
	digest?: string;
	replaced?: { digest?: string; at: number };
}

/** Digests that this process has found right, by node: newer than what is stored. */
const known = remember<Known>(1_000);

const knownOf = (context: Context): Known =>
	known.get(identityOf(context)) ?? { digest: recall(context).digest };

/** Remembers a digest that is right. */
export function learn(context: Context, digest: string): void {
	const last = knownOf(context);
	const isNews = last.digest !== digest;
	const replaced = { digest: last.digest, at: Date.now() };
	known.set(identityOf(context), isNews ? { digest, replaced } : last);
}

/** Whether a digest is the newest one known here, or was a moment ago. */
export function isKnown(context: Context, digest: string): boolean {
	const { digest: newest, replaced } = knownOf(context);
	if (isSame(digest, newest)) return true;
	const stillCounts = replaced !== undefined && Date.now() - replaced.at < replacedCountsFor;
	return stillCounts && isSame(digest, replaced.digest);
}
