import type { Webhook } from '../../gateway/endpoints/webhook';
import { isOfNewerVersion, tokenOf } from '../../gateway/triggerToken';
import { addressOf, hostOf } from '../identity';
import type { Self } from './self';

/**
 * Who has a webhook, found in its URL alone: n8n may move, and workflows may be copied.
 *
 * - newer: this node's, as a newer version of this package has registered it, on or off.
 * - nobody: it is switched off.
 * - upToDate: exactly the URL that this node registers.
 * - outdated: this node's, but with an earlier API key or endpoint, or from a test that is over.
 * - copy: this node's, at another host: of another n8n with the same database.
 * - test: somebody is listening for a test event, and will give the webhook back.
 * - trigger: another Messaging Gateway Trigger, in this n8n or another one.
 * - foreign: anything else.
 */
export type Holder =
	'newer' | 'nobody' | 'upToDate' | 'outdated' | 'copy' | 'test' | 'trigger' | 'foreign';

/** A webhook in a chain, as one node sees it. */
export interface Link extends Webhook {
	holder: Holder;
	/** Leads to this node, whether to its production URL or to its test URL. */
	leadsHere: boolean;
	/** Registered by this node for the same purpose, production or test, from any host. */
	isOwn: boolean;
	/** Has to be given back. Tests are not: nobody would be listening any more. */
	mustGiveBack: boolean;
	/** Registered by another trigger, which has another API key. */
	hasOtherKey: boolean;
	/** A trigger that is not published any more, which gets deliveries passed on. */
	isMissing?: boolean;
}

/** @param hasMoved whether this n8n may have had another host until now, so that there is no copy */
export function classify(
	webhook: Webhook,
	self: Pick<Self, 'address' | 'isTest' | 'url' | 'isOwnSecret' | 'isOfSameKey'>,
	hasMoved = false,
): Link {
	const { url, enabled } = webhook;
	const token = tokenOf(url);
	const address = addressOf(url);
	const isNewer = address === self.address && isOfNewerVersion(url);
	const isHere = address === self.address && !isNewer;
	// Only the secret identifies a node: a copied workflow has the same webhook id.
	const isOurs = token !== undefined && self.isOwnSecret(token);
	const isCopy = isOurs && !hasMoved && hostOf(url) !== hostOf(self.address);
	const hasSecret = isOurs && !isCopy;
	// A production address belongs to one workflow; a test address to any workflow that listens.
	const leadsHere = hasSecret || (isHere && (!self.isTest || !token));
	const isOwn = token ? hasSecret && (token.until !== undefined) === self.isTest : isHere;
	const holder = (): Holder => {
		if (isNewer) return 'newer';
		if (!enabled) return 'nobody';
		if (url === self.url) return 'upToDate';
		if (token?.until !== undefined && !hasEnded(webhook)) return 'test';
		if (isCopy) return 'copy';
		if (leadsHere) return 'outdated';
		return token ? 'trigger' : 'foreign';
	};
	const mustGiveBack = !isOwn && !isHere && !isOfTest(webhook);
	const hasOtherKey = token !== undefined && !leadsHere && !self.isOfSameKey(token);
	return { url, enabled, holder: holder(), leadsHere, isOwn, mustGiveBack, hasOtherKey };
}

/** In ms: n8n's limit of two minutes for a test event, and half a minute for it to clean up. */
export const testLimitMs = 150_000;

/** Registered for a test. One with a seal that cannot be opened here does not count. */
export function isOfTest({ url }: Webhook): boolean {
	const token = tokenOf(url);
	return token?.until !== undefined && !token.sealed;
}

/** Whether a test is over. An end beyond the limit comes from a clock that was ahead. */
export function hasEnded({ url }: Webhook): boolean {
	const { until } = tokenOf(url) ?? {};
	const now = Date.now();
	return until !== undefined && (until <= now || until > now + testLimitMs);
}

/** Whether it belongs to a trigger that passes deliveries on to what it has displaced. */
export const isSharing = ({ url }: Webhook): boolean => tokenOf(url)?.shares === true;
