import type { Problem } from '../../gateway/node';
import { tokenOf } from '../../gateway/triggerToken';
import { copied, inUse, otherAccount, otherKey, takenBy } from './errors';
import { viewOf, type WebhookView } from './holder';
import type { Self } from './self';

/** The event at which a node is called: `start` is n8n's own start. Listening publishes a test. */
export type RegistrationEvent = 'publish' | 'start' | 'check';

/**
 * - leave: deliveries reach the published node, or will when a test is over.
 * - until: when the test ends that has the webhook, in ms since 1970.
 */
export type Plan =
	{ do: 'leave'; until?: number } | { do: 'refuse'; problem: Problem } | { do: 'register' };

/** Decides what to do about the webhook. A test that is over was given back before. */
export const decide = (event: RegistrationEvent, view: WebhookView, self: Self): Plan =>
	event === 'publish' ? decidePublication(view, self) : decideCheck(view, self);

function decidePublication(view: WebhookView, self: Self): Plan {
	const conflict = self.takesOver ? undefined : findConflict(view, self);
	const obstacle = conflict ?? (view.isUnreadable ? view : undefined);
	if (!obstacle) return { do: 'register' };
	const describe = conflict || obstacle.holder === 'test' ? inUse : otherKey;
	return { do: 'refuse', problem: describe(obstacle.holder, obstacle.webhook!.url, self) };
}

/** Finds somebody else's webhook that is in force, or will be after a test. */
function findConflict(view: WebhookView, self: Self): WebhookView | undefined {
	const afterTest = view.holder === 'test' ? [viewOf(view.remembered, self)] : [];
	return [...afterTest, view].find((each) => each.holder !== 'nobody' && !each.leadsHere);
}

/** Decides for the watch. If it may not take the webhook back, it refuses: nobody is there to ask. */
function decideCheck({ webhook, holder, leadsHere }: WebhookView, self: Self): Plan {
	if (holder === 'test') return { do: 'leave', until: tokenOf(webhook!.url)!.until };
	if (holder === 'upToDate') return { do: 'leave' };
	if (webhook && !leadsHere) {
		const { url } = webhook;
		// The webhook of another account may only be set if there is none.
		if (!self.isSameKey) return { do: 'refuse', problem: otherAccount(url) };
		if (holder === 'copy') return { do: 'refuse', problem: copied(url, self.address) };
		const isTaken = holder === 'trigger' || (holder === 'foreign' && !self.takesOver);
		if (isTaken) return { do: 'refuse', problem: takenBy(holder, url, self) };
	}
	return { do: 'register' };
}
