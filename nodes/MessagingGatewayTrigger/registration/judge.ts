import type { WebhookConfiguration } from './account';
import { endOfTest, sameAddress, secretOf } from './url';

/**
 * Who has the account's webhook.
 *
 * - nobody: there is none, it is off, or it is the left-over of a test that is over.
 * - us: exactly the URL that we registered, and it is on.
 * - earlier: our URL with another secret, so an earlier registration of ours.
 * - test: somebody listens for a test event, and will give it back.
 * - trigger: another Messaging Gateway Trigger, of this n8n or of another one.
 * - foreign: something else.
 */
export type Holder = 'nobody' | 'us' | 'earlier' | 'test' | 'trigger' | 'foreign';

/** @param registered our URL, with its secret once there is one */
export function holderOf(
	{ url, enabled }: WebhookConfiguration,
	registered: string,
	now = Date.now(),
): Holder {
	if (!url || !enabled) return 'nobody';
	if (url === registered) return 'us';
	const end = endOfTest(url);
	if (end !== undefined) return now < end ? 'test' : 'nobody';
	if (sameAddress(url, registered)) return 'earlier';
	return secretOf(url) ? 'trigger' : 'foreign';
}

export type ConflictPolicy = 'refuse' | 'takeOver';

/**
 * Whether the webhook is taken back when nobody is there to ask. Triggers never do that to each
 * other: of two, the one that was published last has the webhook.
 */
export function mayTakeBack(holder: Holder, policy: ConflictPolicy): boolean {
	return holder === 'foreign' ? policy === 'takeOver' : !['test', 'trigger'].includes(holder);
}
