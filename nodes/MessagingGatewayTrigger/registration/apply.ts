import { sleep } from 'n8n-workflow';

import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/maps';
import { Lanes } from '../../gateway/pacing/queues';
import { tokenOf, type Token } from '../../gateway/triggerToken';
import { addressOf, digestOf, openDisplaced, sealDisplaced, staticData } from '../identity';
import { decide, toGiveBack, type Event, type Plan } from './decide';
import { errorOf, inUse, notGivenBack, notKept, tooLong } from './errors';
import { classify, testLimitMs } from './holder';
import { keepDisplaced, look, type Seen } from './look';
import type { Self } from './self';

/** In characters. Too many servers and databases cut longer URLs off. */
const maxUrlLength = 2_000;

/** In ms: a service may take a moment to show what it was given. */
const readAgainAfter = [0, 500, 2_000];

/**
 * Publications and tests whose URL is on its way to the service, by its secret. Deliveries start nothing
 * then: the workflow is not published yet, and a service may check whether a URL answers before it
 * accepts it.
 */
const registering = inProcess.map<true>(Infinity);

export const isRegistering = ({ secret }: Token): boolean => registering.has(digestOf(secret));

/**
 * One for each service: who has looked writes before the next one looks. Not one for each API key, as
 * an account may have several.
 */
const queues = new Lanes();

/** The only way to change the account's webhook: looks, decides, and carries that out. */
export async function handle(event: Event, self: Self, isWanted?: () => boolean): Promise<Handled> {
	if (event === 'tick') {
		// Seldom changes anything, so it does not wait for what other accounts do at a slow service.
		const handled = await lookAndDecide(event, self, isWanted);
		const isChange = handled.plan.do === 'register' || 'chain' in handled.plan;
		if (!isChange) return await apply(self, handled);
	}
	return await queues.run([self.client.origin], async () => {
		const handled = await apply(self, await lookAndDecide(event, self, isWanted));
		if (event === 'unpublish' && handled.plan.do === 'rewrite') {
			// Once after a test: n8n cannot begin another one before this one has ended.
			const mayReturn =
				!self.isTest && handled.seen.chain.some(({ holder }) => holder === 'trigger');
			await stayAway(self, mayReturn ? 2 : 1);
		}
		return handled;
	});
}

type Handled = { seen: Seen; plan: Plan };

async function lookAndDecide(event: Event, self: Self, isWanted = () => true): Promise<Handled> {
	const seen = await look(self, event);
	return { seen, plan: isWanted() ? decide(event, seen) : { do: 'leave' } };
}

/** Writes, if the plan says so, and remembers how this node is registered now. */
async function apply(self: Self, handled: Handled): Promise<Handled> {
	const { seen, plan } = handled;
	if (plan.do === 'register') await register(self, seen, plan);
	else if ('chain' in plan && plan.chain) await self.setWebhook(packed(self, plan.chain));
	if (plan.isRegistered) {
		const displaced = plan.do === 'register' ? plan.displaced : toGiveBack(seen.chain);
		const { context, address, digest } = self;
		staticData.add(context, { address, digest, displaces: displaced.length > 0 });
	}
	return handled;
}

/**
 * Reads back what was given back, and gives it back again: another process may have written at the same
 * moment what it had read before.
 *
 * @param reads that show nothing of this node; another trigger's may be on its way for some moments
 * @throws NodeOperationError when the service still has this node's URL
 */
async function stayAway(self: Self, reads: number): Promise<void> {
	let clean = 0;
	for (const wait of readAgainAfter) {
		if (wait > 0) await sleep(wait);
		// The service has accepted the change, so a failure here is none to give it back.
		const again = await lookAndDecide('unpublish', self).catch(() => undefined);
		const isBack = again?.plan.do === 'rewrite';
		if (isBack) await apply(self, again);
		clean = isBack ? 0 : clean + 1;
		if (clean === reads) return;
	}
	if (clean === 0) throw errorOf(self.context, notGivenBack(self.address));
}

/** A chain as the one webhook that the service stores: the others are sealed in its URL. */
function packed(self: Self, chain: Webhook[]): Webhook | undefined {
	const [inForce, ...displaced] = chain;
	if (!inForce) return undefined;
	keepDisplaced(self, chain);
	const webhook = sealDisplaced([inForce, ...displaced], self.keys);
	const isTooLong = webhook.url !== inForce.url && webhook.url.length > maxUrlLength;
	if (isTooLong) throw errorOf(self.context, tooLong(maxUrlLength));
	return webhook;
}

/**
 * Registers this node's URL, and checks that the service has stored it. If not, restores what was
 * there, even if the service already shows that: it may be out of date. Never does so over another
 * trigger.
 *
 * @throws NodeOperationError when the service does not store the URL, or another trigger was faster
 */
async function register(
	self: Self,
	{ event, found, chain, isTestOver }: Seen,
	{ displaced }: Plan & { do: 'register' },
): Promise<void> {
	const { context, isTest } = self;
	const url = self.urlUntil(isTest ? Date.now() + testLimitMs : undefined);
	const webhook = packed(self, [{ url, enabled: true }, ...displaced])!;
	if (isTest) staticData.add(context, { borrows: true });
	const key = digestOf(tokenOf(url)!.secret);
	if (event === 'publish') registering.set(key, true);
	await self.setWebhook(webhook).finally(() => registering.delete(key));
	let kept: Webhook | undefined;
	for (const wait of readAgainAfter) {
		if (wait > 0) await sleep(wait);
		kept = await self.readWebhook();
		if (!kept?.enabled) continue;
		// Or one that has displaced it since.
		const [, ...others] = openDisplaced(kept, self.keys) ?? [];
		if (kept.url === webhook.url || others.some((each) => each.url === url)) return;
	}
	// At this node's own address, it is our URL, which the service has changed.
	if (kept && kept.url !== found?.url && addressOf(kept.url) !== self.address) {
		const { holder } = classify(kept, self);
		const isTrigger = ['copy', 'test', 'trigger'].includes(holder);
		if (isTrigger) throw errorOf(context, inUse(holder, kept.url, isTest));
	}
	await self.setWebhook(isTestOver ? packed(self, chain) : found);
	throw errorOf(context, notKept(webhook.url, kept, found));
}
