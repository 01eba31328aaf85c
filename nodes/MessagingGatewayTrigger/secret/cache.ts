import type { FunctionsBase } from 'n8n-workflow';

import { BoundedMap } from '../../gateway/memory';
import { digestOf, identityOf, isSame } from '../token';

/**
 * What is remembered of a published node. Nobody depends on it: a delivery is judged by the secret
 * that the credential gives, and what is registered stands at the service. It saves reading the
 * credential, and lets the URL work on whose API key was changed until it is registered anew.
 */
interface Remembered {
	/** n8n's address of the webhook, for the watch, which n8n does not tell it. */
	address?: string;
	/** Of the secret that was registered last. */
	digest?: string;
	/** Whether something is to be given back. */
	displaces?: boolean;
	/** Of the node's identity: a copied workflow may bring the static data of the first one. */
	node?: string;
}

type Context = Pick<FunctionsBase, 'getWorkflowStaticData'> & Parameters<typeof identityOf>[0];

/** In n8n's static data, which n8n may lose, replace by an older copy, and shows to others. */
export function recall(context: Context): Remembered {
	const stored = (context.getWorkflowStaticData('node').webhook ?? {}) as Remembered;
	return [nodeOf(context), undefined].includes(stored.node) ? stored : {};
}

export function remember(context: Context, news: Omit<Remembered, 'node'>): void {
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

/** What this process has seen to be right, by node: newer than static data. */
export const known = new BoundedMap<Known>(1_000);

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
