import { tokenOf, type Webhook } from '../../gateway/triggerToken';

/**
 * Who has the account's webhook.
 *
 * - nobody: there is none, or it is off.
 * - us: exactly the URL that this node registers, and it is on.
 * - earlier: this node's too, but registered with another API key, at another host, or for a test.
 * - copy: this node's as well, at another n8n with the same database, which answers there.
 * - test: somebody listens for a test event, and will give it back.
 * - trigger: another Messaging Gateway Trigger, of this n8n or of another one.
 * - foreign: something else.
 */
export type Holder = 'nobody' | 'us' | 'earlier' | 'copy' | 'test' | 'trigger' | 'foreign';

/** What is known of URLs that are in question. */
interface Knowledge {
	ownUrl: string;
	/** Whether a URL leads to this node. */
	isOwn(url: string): boolean;
	/** Whether it leads to this node at another n8n. */
	isCopy(url: string): boolean;
}

export function holderOf(
	webhook: Webhook | undefined,
	{ ownUrl, isOwn, isCopy }: Knowledge,
): Holder {
	if (!webhook?.enabled) return 'nobody';
	if (webhook.url === ownUrl) return 'us';
	const token = tokenOf(webhook.url);
	if (token?.until !== undefined && !isOver(webhook)) return 'test';
	if (isCopy(webhook.url)) return 'copy';
	if (isOwn(webhook.url)) return 'earlier';
	return token ? 'trigger' : 'foreign';
}

/** Two minutes, n8n's limit for a test event, and half a minute for it to clean up. */
export const testLimitMs = 150_000;

/** Registered for a test; but not where it seals what only another n8n can open and give back. */
export function isTest({ url }: Webhook): boolean {
	const token = tokenOf(url);
	return token?.until !== undefined && !token.sealed;
}

/**
 * Whether it was registered for a test, and that is over. No test lasts longer than the limit: an
 * end that is further away was written by a clock that was ahead.
 */
export function isOver({ url }: Webhook, now = Date.now()): boolean {
	const { until } = tokenOf(url) ?? {};
	return until !== undefined && (until <= now || until > now + testLimitMs);
}

export type ConflictPolicy = 'refuse' | 'takeOver';

/** Whether the webhook is taken back when nobody is there to ask. Triggers never do that to each other. */
export const mayTakeBack = (holder: Holder, policy: ConflictPolicy): boolean =>
	holder === 'foreign' ? policy === 'takeOver' : !['copy', 'test', 'trigger'].includes(holder);
