import type { WebhookConfiguration } from './account';
import { recall } from './memory';
import type { Registration, Webhook } from './store';
import { endOfTest, secretOf } from './url';

interface Borrower {
	/** Its account. Another account's webhook must not get what was in use with this one. */
	account: string;
	/** What n8n has stored of it, for what this process does not know. */
	earlier?: Registration;
	/** A node does not borrow from itself; a test does, from its node. */
	isOwn(url: string): boolean;
}

/**
 * What a registration in place of `current` borrows: that, and what that has borrowed itself, since
 * either may end first. Never a test, in which nobody would be listening any more.
 */
export function toBorrow(
	{ url, enabled }: WebhookConfiguration,
	{ account, earlier, isOwn }: Borrower,
): Webhook[] {
	if (url === null) return [];
	const registered = recall(url) ?? (secretOf(url) ? earlier : undefined);
	return [{ url, enabled }, ...borrowedBy(registered, account)].filter(
		(webhook) => !isTest(webhook.url) && !hasEnded(webhook) && !isOwn(webhook.url),
	);
}

/** What a registration leaves behind at its end; undefined: nothing. */
export function toGiveBack(
	registration: Registration | undefined,
	account: string,
): Webhook | undefined {
	// Rather as it is known here: what the watch saves, n8n does not store.
	const known = registration && (recall(registration.url) ?? registration);
	return borrowedBy(known, account).find((webhook) => !hasEnded(webhook));
}

function borrowedBy(registered: ReturnType<typeof recall>, account: string): Webhook[] {
	if (registered === undefined || registered === 'ended') return [];
	return registered.account === account ? registered.borrowed : [];
}

export const isTest = (url: string): boolean => endOfTest(url) !== undefined;

const hasEnded = ({ url }: Webhook): boolean => recall(url) === 'ended';
