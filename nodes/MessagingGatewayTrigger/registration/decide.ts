import type { Webhook } from '../../gateway/endpoints/webhook';
import type { Problem } from '../../gateway/node';
import { tokenOf } from '../../gateway/triggerToken';
import { copied, inUse, newerVersion, otherAccount, otherKey, takenBy } from './errors';
import { isOfTest, isSharing, type Holder, type Link } from './holder';
import type { Self } from './self';

/**
 * Why n8n, or the watch, calls a node: `start` is n8n's own start, `tick` a check of the watch.
 * Listening publishes a test, and the end of the test unpublishes it.
 */
export type Event = 'publish' | 'unpublish' | 'start' | 'tick';

/** All that a decision depends on. A chain is the webhook in force, then what it has displaced. */
export interface Facts extends Pick<Self, 'isTest' | 'policy' | 'url'> {
	/** Without tests that are over. */
	chain: Link[];
	/** Whether the webhook is in the hands of a test that is over, which has displaced something. */
	isTestOver: boolean;
	/** Whether the credential has the API key that this node was registered with, as far as is known. */
	isSameKey: boolean;
	/** Whether this node had displaced something when it was registered, as n8n has stored it. */
	hadDisplaced: boolean;
	/** What it had displaced when this process last read it, in case the service loses it. */
	lastDisplaced?: Webhook[];
}

/**
 * - isRegistered: deliveries reach the published node, once this is carried out.
 * - until: when the test ends that has the webhook, in ms since 1970.
 * - chain: what the service is left with; an empty one switches the webhook off.
 * - isLost: nothing knows any more what this node had displaced.
 */
export type Plan = { isRegistered?: boolean } & (
	| { do: 'leave'; until?: number }
	| { do: 'rewrite'; chain: Webhook[] }
	| { do: 'refuse'; problem: Problem; chain?: Webhook[] }
	| { do: 'register'; displaced: Webhook[]; isLost?: boolean }
);

export function decide(event: Event, facts: Facts): Plan {
	const plan = table[event](facts);
	if (!facts.isTestOver) return plan;
	// Nobody else may be there to give back what a test has displaced.
	if (plan.do === 'refuse') return { ...plan, chain: facts.chain };
	return plan.do === 'leave' ? { ...plan, do: 'rewrite', chain: facts.chain } : plan;
}

const table: Record<Event, (facts: Facts) => Plan> = {
	publish,
	unpublish({ chain }) {
		const rest = chain.filter(({ isOwn }) => !isOwn);
		return rest.length < chain.length ? { do: 'rewrite', chain: rest } : { do: 'leave' };
	},
	start: keep,
	tick: keep,
};

/** What a registration displaces and gives back later. */
export const toGiveBack = (chain: Link[]): Link[] =>
	chain.filter(({ mustGiveBack }) => mustGiveBack);

/** What only a newer version of this package can give back, with all that is sealed in it. */
export const findNewer = (chain: Link[]): Link | undefined =>
	chain.find(({ holder }) => holder === 'newer');

function publish({ chain, policy, isTest }: Facts): Plan {
	if (findNewer(chain)) return { do: 'refuse', problem: newerVersion };
	const conflict = findConflict(chain);
	if (conflict && policy === 'refuse') {
		return { do: 'refuse', problem: inUse(conflict.holder, conflict.url, isTest) };
	}
	const other = policy === 'share' ? findOtherKey(chain) : undefined;
	if (other) return { do: 'refuse', problem: otherKey(other.url, isTest) };
	return { do: 'register', displaced: toGiveBack(chain), isRegistered: !isTest };
}

function keep(facts: Facts): Plan {
	const { chain, url, isSameKey } = facts;
	const [current] = chain;
	if (current?.holder === 'test') return { do: 'leave', until: tokenOf(current.url)?.until };
	const own = findReachable(chain);
	if (own?.holder === 'upToDate') {
		const rest = chain.filter(({ isMissing }) => !isMissing);
		if (rest.length === chain.length) return { do: 'leave', isRegistered: true };
		return { do: 'rewrite', chain: rest, isRegistered: true };
	}
	if (own && own !== current) {
		// Its address has changed while other triggers passed deliveries on to it.
		const renewed = chain.map((each) => (each === own ? { url, enabled: true } : each));
		return { do: 'rewrite', chain: renewed, isRegistered: true };
	}
	const problem = current && problemWith(current, facts);
	if (problem) return { do: 'refuse', problem };

	const isGone = (current?.holder ?? 'nobody') === 'nobody' && isSameKey;
	const found = isGone ? withLost(facts) : { displaced: toGiveBack(chain) };
	return { do: 'register', ...found, isRegistered: true };
}

/** What keeps the watch from taking the webhook back, with nobody there to ask. */
function problemWith(current: Link, { chain, policy, isSameKey, url }: Facts): Problem | undefined {
	const { holder } = current;
	if (findNewer(chain)) return newerVersion;
	// Another account's webhook may only be set if there is none, or if it is our own URL.
	if (!isSameKey && !current.leadsHere) return otherAccount(current.url);
	if (holder === 'copy') return copied(current.url, url);
	const isOtherKey = policy === 'share' && findOtherKey(chain) !== undefined;
	const mayTake: Partial<Record<Holder, boolean>> = {
		foreign: policy !== 'refuse',
		// Nobody loses it where both share: each then passes deliveries on to the other.
		trigger: policy === 'share' && isSharing(current) && !isOtherKey,
	};
	return (mayTake[holder] ?? true) ? undefined : takenBy(holder, current.url, policy, isOtherKey);
}

/** What to give back, with what the service has lost. What is off at the top is left out. */
function withLost({ chain, lastDisplaced, hadDisplaced }: Facts) {
	const displaced: Webhook[] = toGiveBack(chain);
	const isNews = ({ url }: Webhook) => !displaced.some((each) => each.url === url);
	const all = [...displaced, ...(lastDisplaced ?? []).filter(isNews)];
	const firstOn = all.findIndex(({ enabled }) => enabled);
	const isLost = all.length === 0 && !lastDisplaced && hadDisplaced;
	return { displaced: all.slice(Math.max(firstOn, 0)), isLost };
}

/** This node's own webhook, if deliveries reach it: it is in force, or all above it share. */
function findReachable(chain: Link[]): Link | undefined {
	const place = chain.findIndex(({ isOwn }) => isOwn);
	const above = chain.slice(0, Math.max(place, 0));
	return above.every((each) => each.enabled && isSharing(each)) ? chain[place] : undefined;
}

/** Somebody else's webhook that is in force, or will be after a test. */
function findConflict([current, next]: Link[]): Link | undefined {
	const inTurn = current?.enabled && isOfTest(current) ? [next, current] : [current];
	return inTurn.find((each) => each && each.holder !== 'nobody' && !each.leadsHere);
}

/** With whom this node cannot share: they could not read each other's URLs, to leave them one day. */
const findOtherKey = (chain: Link[]): Link | undefined =>
	toGiveBack(chain).find(({ enabled, hasOtherKey }) => enabled && hasOtherKey);
