import type { Webhook } from '../../gateway/endpoints/webhook';
import { tokenOf, type Token } from '../../gateway/triggerToken';
import { addressOf } from '../url';

/** Whose a webhook is: told by its URL alone, wherever n8n is and whatever is copied. */

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

/** A webhook that stands at the service, or that one there has displaced. */
export interface Found extends Webhook {
	holder: Holder;
	/** It leads to this node: to its production or its test. */
	isOwn: boolean;
	/** It was registered by the one of the two that this is about, wherever n8n was then. */
	isThis: boolean;
	/** To be given back after it was displaced; a test is not, in which nobody would be listening. */
	isForOthers: boolean;
}

/** What a node knows of itself. */
export interface Self {
	/** n8n's, of the node's webhook. */
	address: string;
	/** Whether it is about the node's test, and not its production. */
	isTest: boolean;
	/** What it registers. */
	url: string;
	/** Whether a secret is this node's, of its API key or the one before. */
	hasMade(token: Token): boolean;
	/** Addresses with this node's secret that another n8n answers at. */
	copies: Set<string>;
}

export function classify(webhook: Webhook, self: Self): Found {
	const { url, enabled } = webhook;
	const token = tokenOf(url);
	const isHere = addressOf(url) === self.address;
	const isMade = isMadeBy(self, url);
	// n8n gives the address of a production to one workflow, that of a test to any that listens.
	const isOwn = isMade || (isHere && (!self.isTest || !token));
	const isThis = token ? isMade && (token.until !== undefined) === self.isTest : isHere;
	const holder = (): Holder => {
		if (!enabled) return 'nobody';
		if (url === self.url) return 'us';
		if (token?.until !== undefined && !isOver(webhook)) return 'test';
		if (self.copies.has(addressOf(url))) return 'copy';
		if (isOwn) return 'earlier';
		return token ? 'trigger' : 'foreign';
	};
	const isForOthers = !isThis && !isHere && !isTest(webhook);
	return { url, enabled, holder: holder(), isOwn, isThis, isForOthers };
}

/** Only a secret shows whose a URL is: a copied workflow has the same webhook id. */
export function isMadeBy(self: Self, url: string): boolean {
	const token = tokenOf(url);
	return token !== undefined && !self.copies.has(addressOf(url)) && self.hasMade(token);
}

/** What a registration displaces, and gives back later. */
export const displacedIn = (found: Found[]): Found[] =>
	found.filter(({ isForOthers }) => isForOthers);

/** In ms: two minutes, n8n's limit for a test event, and half a minute for it to clean up. */
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

/**
 * This node's own, where deliveries reach it: it stands at the service, or all that have displaced it
 * since pass them on.
 */
export function reachedIn(found: Found[]): Found | undefined {
	const place = found.findIndex(({ isThis }) => isThis);
	const above = found.slice(0, Math.max(place, 0));
	return above.every((each) => each.enabled && isSharing(each)) ? found[place] : undefined;
}

/** Whether a trigger has registered it that passes deliveries on. */
export const isSharing = ({ url }: Webhook): boolean => tokenOf(url)?.shares === true;

/** Whether what it has displaced cannot be read here. */
export const isClosed = ({ url }: Webhook): boolean => tokenOf(url)?.sealed !== undefined;

export type ConflictPolicy = 'refuse' | 'share' | 'takeOver';

/** What keeps this node from being published, or from listening, besides what is its own. */
export function inTheWay([current, displaced]: Found[], policy: ConflictPolicy): Found | undefined {
	if (policy !== 'refuse') return undefined;
	// What a test has displaced stands there again after it.
	const inTurn = current?.enabled && isTest(current) ? [displaced, current] : [current];
	return inTurn.find((each) => each && each.holder !== 'nobody' && !each.isOwn);
}

/** Triggers never take it from each other, unless somebody publishes one. */
export const isTrigger = (holder: Holder): boolean => ['copy', 'test', 'trigger'].includes(holder);

/**
 * Whether the webhook is taken back when nobody is there to ask. From a trigger that shares one that
 * shares takes nothing: each then passes on to the other.
 */
export function mayTakeBack(current: Found, policy: ConflictPolicy): boolean {
	if (current.holder === 'foreign') return policy !== 'refuse';
	if (current.holder === 'trigger') return policy === 'share' && isSharing(current);
	return !isTrigger(current.holder);
}
