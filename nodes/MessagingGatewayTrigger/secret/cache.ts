import type { FunctionsBase } from 'n8n-workflow';

import { BoundedMap } from '../../shared/boundedMap';
import { identityOf } from './derive';

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
}

type Context = Pick<FunctionsBase, 'getWorkflowStaticData'> & Parameters<typeof identityOf>[0];

/** In n8n's static data, which n8n may lose, replace by an older copy, and shows to others. */
export const recall = (context: Context): Remembered =>
	(context.getWorkflowStaticData('node').webhook ?? {}) as Remembered;

export function remember(context: Context, news: Remembered): void {
	context.getWorkflowStaticData('node').webhook = { ...recall(context), ...news };
	if (news.digest) newestDigests.set(identityOf(context), news.digest);
}

export function forget(context: Context): void {
	delete context.getWorkflowStaticData('node').webhook;
}

/** The newest digests that this process has seen to be right, by node: newer than static data. */
export const newestDigests = new BoundedMap<string>(1_000);
