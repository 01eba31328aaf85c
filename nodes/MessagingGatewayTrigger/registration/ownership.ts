import type { Webhook } from '../../gateway/endpoints/webhook';
import { tokenOf, type Token } from '../../gateway/triggerToken';
import { addressOf } from '../url';

/**
 * Decides whose a webhook is, from its URL alone: n8n may move, and workflows may be copied.
 *
 * A chain is a list of webhooks: the one in force, then the ones it has displaced, latest first.
 */

/**
 * Who has a webhook.
 *
 * - nobody: it is switched off.
 * - us: exactly the URL that this node registers.
 * - earlier: this node's, but with an earlier API key, from another host, or from a test that is over.
 * - copy: this node's, but another n8n with the same database answers there.
 * - test: somebody is listening for a test event, and will give the webhook back.
 * - trigger: another Messaging Gateway Trigger, in this n8n or another one.
 * - foreign: anything else.
 */
export type Holder = 'nobody' | 'us' | 'earlier' | 'copy' | 'test' | 'trigger' | 'foreign';

/** A webhook in a chain, as one node sees it. */
export interface Link extends Webhook {
	holder: Holder;
	/** Leads to this node, whether to its production URL or to its test URL. */
	isOwn: boolean;
	/** Registered by this node for the same purpose, production or test, from any host. */
	isSelf: boolean;
	/** Has to be given back. Tests are not: nobody would be listening any more. */
	mustGiveBack: boolean;
}

/** What a node knows about itself. */
export interface Self {
	/** n8n's address of the node's webhook. */
	address: string;
	/** Whether this is about the node's test URL, not its production URL. */
	isTest: boolean;
	/** The URL that the node registers. */
	url: string;
	/** Whether a secret is this node's, from its current or previous API key. */
	isOwnSecret(token: Token): boolean;
	/** Addresses with this node's secret at which another n8n answers. */
	copies: Set<string>;
}

export function classify(webhook: Webhook, self: Self): Link {
	const { url, enabled } = webhook;
	const token = tokenOf(url);
	const isHere = addressOf(url) === self.address;
	const hasSecret = hasOwnSecret(self, url);
	// A production address belongs to one workflow; a test address to any workflow that listens.
	const isOwn = hasSecret || (isHere && (!self.isTest || !token));
	const isSelf = token ? hasSecret && (token.until !== undefined) === self.isTest : isHere;
	const holder = (): Holder => {
		if (!enabled) return 'nobody';
		if (url === self.url) return 'us';
		if (token?.until !== undefined && !hasEnded(webhook)) return 'test';
		if (self.copies.has(addressOf(url))) return 'copy';
		if (isOwn) return 'earlier';
		return token ? 'trigger' : 'foreign';
	};
	const mustGiveBack = !isSelf && !isHere && !isTest(webhook);
	return { url, enabled, holder: holder(), isOwn, isSelf, mustGiveBack };
}

/** Only the secret identifies a node: a copied workflow has the same webhook id. */
export function hasOwnSecret(self: Self, url: string): boolean {
	const token = tokenOf(url);
	return token !== undefined && !self.copies.has(addressOf(url)) && self.isOwnSecret(token);
}

/** What a registration displaces and gives back later. */
export const toGiveBack = (chain: Link[]): Link[] =>
	chain.filter(({ mustGiveBack }) => mustGiveBack);

/** In ms: n8n's limit of two minutes for a test event, and half a minute for it to clean up. */
export const testLimitMs = 150_000;

/** Registered for a test. One with a seal that only another n8n can open does not count. */
export function isTest({ url }: Webhook): boolean {
	const token = tokenOf(url);
	return token?.until !== undefined && !token.sealed;
}

/** Whether a test is over. An end beyond the limit comes from a clock that was ahead. */
export function hasEnded({ url }: Webhook, now = Date.now()): boolean {
	const { until } = tokenOf(url) ?? {};
	return until !== undefined && (until <= now || until > now + testLimitMs);
}

/** This node's own webhook, if deliveries reach it: it is in force, or all above it share. */
export function findReachable(chain: Link[]): Link | undefined {
	const place = chain.findIndex(({ isSelf }) => isSelf);
	const above = chain.slice(0, Math.max(place, 0));
	return above.every((each) => each.enabled && isSharing(each)) ? chain[place] : undefined;
}

/** Whether it belongs to a trigger that passes deliveries on to what it has displaced. */
export const isSharing = ({ url }: Webhook): boolean => tokenOf(url)?.shares === true;

/** Whether what it has displaced cannot be read here: what can be is no longer sealed. */
export const isSealed = ({ url }: Webhook): boolean => tokenOf(url)?.sealed !== undefined;

export type ConflictPolicy = 'refuse' | 'share' | 'takeOver';

/** What keeps this node from being published, or from listening. */
export function findConflict([current, next]: Link[], policy: ConflictPolicy): Link | undefined {
	if (policy !== 'refuse') return undefined;
	// What a test has displaced will be in force again after it.
	const inTurn = current?.enabled && isTest(current) ? [next, current] : [current];
	return inTurn.find((each) => each && each.holder !== 'nobody' && !each.isOwn);
}

/** Triggers never take the webhook from each other, unless somebody publishes one. */
export const isTrigger = (holder: Holder): boolean => ['copy', 'test', 'trigger'].includes(holder);

/**
 * Whether the watch may take the webhook back, with nobody there to ask. Where both triggers share,
 * nobody loses it: each then passes deliveries on to the other.
 */
export function mayTakeBack(current: Link, policy: ConflictPolicy): boolean {
	if (current.holder === 'foreign') return policy !== 'refuse';
	if (current.holder === 'trigger') return policy === 'share' && isSharing(current);
	return !isTrigger(current.holder);
}
