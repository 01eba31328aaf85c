import { tokenOf, type Webhook } from '../../shared/webhookUrl';

/**
 * Who has the account's webhook.
 *
 * - nobody: there is none, or it is off.
 * - us: exactly the URL that this node registers, and it is on.
 * - earlier: this node's too, but registered with another API key, at another host, or for a test.
 * - test: somebody listens for a test event, and will give it back.
 * - trigger: another Messaging Gateway Trigger, of this n8n or of another one.
 * - foreign: something else.
 */
export type Holder = 'nobody' | 'us' | 'earlier' | 'test' | 'trigger' | 'foreign';

/** @param isOwn whether a URL leads to this node */
export function holderOf(
	webhook: Webhook | undefined,
	ownUrl: string,
	isOwn: (url: string) => boolean,
): Holder {
	if (!webhook?.enabled) return 'nobody';
	if (webhook.url === ownUrl) return 'us';
	const token = tokenOf(webhook.url);
	if (token?.until !== undefined && !isOver(webhook)) return 'test';
	if (isOwn(webhook.url)) return 'earlier';
	return token ? 'trigger' : 'foreign';
}

/** Registered for a test; but not where it seals what only another n8n can open and give back. */
export function isTest({ url }: Webhook): boolean {
	const token = tokenOf(url);
	return token?.until !== undefined && !token.sealed;
}

/** Whether it was registered for a test, and that is over. */
export const isOver = ({ url }: Webhook, now = Date.now()): boolean =>
	(tokenOf(url)?.until ?? Infinity) <= now;

export type ConflictPolicy = 'refuse' | 'takeOver';

/**
 * Whether the webhook is taken back when nobody is there to ask. Triggers never do that to each
 * other: of two, the one that was published last has the webhook.
 */
export const mayTakeBack = (holder: Holder, policy: ConflictPolicy): boolean =>
	holder === 'foreign' ? policy === 'takeOver' : !['test', 'trigger'].includes(holder);
