import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/maps';
import { tokenOf } from '../../gateway/triggerToken';
import type { Self } from './self';
import { addressOf, hostOf, isOff, recall, remember, type Remembered } from './url';

/** The holder of the webhook. Its URL alone tells: n8n may move, and workflows may be copied. */
export type Holder =
	| 'nobody' // none is set, or it is switched off
	| 'upToDate' // exactly the URL that this node registers
	| 'outdated' // this node's, but with an earlier API key or endpoint
	| 'copy' // this node's, at another host: of another n8n with the same database
	| 'test' // somebody is listening for a test event, and will give the webhook back
	| 'endedTest' // nobody is listening any more, and the webhook was not given back
	| 'trigger' // another Messaging Gateway Trigger, in this n8n or another one
	| 'foreign'; // anything else

/** The account's webhook, as one node sees it. */
export interface WebhookView {
	/** The webhook that the service has; undefined if none is set. */
	webhook: Webhook | undefined;
	holder: Holder;
	/** Whether it leads to this node, be it to its production URL or to its test URL. */
	leadsHere: boolean;
	/** Whether this node has registered it for the same purpose, production or test. */
	isOwn: boolean;
	/** The webhook that its trigger gives back; undefined if that trigger has another API key. */
	remembered: Remembered;
}

/** The longest test, in ms: n8n's limit of two minutes, and half a minute for n8n to clean up. */
export const testLimitMs = 150_000;

/**
 * The webhook that each node has to give back (null: none), as this process last read or wrote it. It is
 * needed when the service loses the URL or its query, or the API key changes.
 */
export const lastRemembered = inProcess.map<Webhook | null>(1_000);

/**
 * Finds out whose the account's webhook is.
 *
 * @param isStart whether n8n starts: it may have had another host until now, so there is no copy, and
 * nobody listens for a test of this node any more
 */
export function viewOf(found: Remembered, self: Self, isStart = false): WebhookView {
	const webhook = found && !isOff(found) ? found : undefined;
	const { url, enabled } = webhook ?? { url: '', enabled: false };
	const token = tokenOf(url);
	const isHere = addressOf(url) === self.address;
	// Only the secret identifies a node: a copied workflow has the same webhook id.
	const isOurs = token !== undefined && self.isOwnSecret(token);
	const isCopy = isOurs && !isStart && hostOf(url) !== hostOf(self.address);
	const hasSecret = isOurs && !isCopy;
	// A production address belongs to one workflow; a test address to any workflow that listens.
	const leadsHere = hasSecret || (isHere && (!self.isTest || !token));
	const isSamePurpose = token ? (token.until !== undefined) === self.isTest : isHere;
	const isOwn = isSamePurpose && (token ? hasSecret : isHere);

	let remembered = recall(url, self.sealingKey);
	if (leadsHere && isSamePurpose) {
		if (token && remembered !== undefined) lastRemembered.set(self.memoryKey, remembered);
		else remembered = lastRemembered.get(self.memoryKey);
		if (remembered === undefined && token) {
			self.context.logger.warn(
				'The webhook in use before cannot be given back: it was encrypted with an API key that has changed',
			);
		}
	}
	const holder = (): Holder => {
		if (!enabled) return 'nobody';
		const isOver = hasEnded(token?.until ?? 0) || (isStart && isOurs);
		if (token?.until !== undefined && !isOver) return 'test';
		if (token?.until !== undefined && remembered !== undefined) return 'endedTest';
		if (token && remember(url, undefined, self.sealingKey) === self.urlUntil()) return 'upToDate';
		if (isCopy) return 'copy';
		if (leadsHere) return 'outdated';
		return token ? 'trigger' : 'foreign';
	};
	return { webhook, holder: holder(), leadsHere, isOwn, remembered };
}

/** Whether a test is over. An end beyond the limit comes from a clock that was ahead. */
export function hasEnded(until: number): boolean {
	const now = Date.now();
	return until <= now || until > now + testLimitMs;
}

/** Returns the webhook that a node has to remember if it replaces this one: never the URL of a test. */
export function toRemember({ webhook, remembered, leadsHere }: WebhookView, self: Self) {
	const token = webhook && tokenOf(webhook.url);
	const isPublication = token !== undefined && token.until === undefined;
	if (self.isTest && isPublication) return webhook; // it is still published after the test
	if (!token && !leadsHere) return webhook;
	// A test remembers a publication, which a publication takes over.
	const isOfTest = !self.isTest && remembered && tokenOf(remembered.url) !== undefined;
	return isOfTest ? viewOf(remembered, self).remembered : remembered;
}
