import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/maps';
import { tokenOf } from '../../gateway/triggerToken';
import { isReachable } from '../../gateway/addresses';
import { addressOf, digestOf, isOff, openDisplaced, staticData, withoutSeal } from '../identity';
import { post } from '../post';
import type { Event, Facts } from './decide';
import { classify, hasEnded, isOfTest, isSharing, type Link } from './holder';
import type { Context, Self } from './self';

/**
 * By service and address: what a webhook had displaced when this process last read or wrote it, in case
 * the service loses the URL, and with it what is sealed there.
 */
const lastDisplaced = inProcess.map<Webhook[]>(1_000);

const keyOf = ({ client }: Self, url: string): string => client.origin + addressOf(url);

export function keepDisplaced(self: Self, [inForce, ...displaced]: Webhook[]): void {
	if (inForce) lastDisplaced.set(keyOf(self, inForce.url), displaced);
}

export type Seen = Awaited<ReturnType<typeof look>>;

/** Reads the account's webhook, and finds out what a decision depends on. Writes nothing. */
export async function look(self: Self, event: Event) {
	const { url, digest, isTest, policy } = self;
	const found = await self.readWebhook();
	const isSet = found !== undefined && !isOff(found);
	// Nothing tells a copy of n8n from one that has moved, which has to follow its new address.
	const hasMoved = event === 'start';
	const webhooks = isSet ? chainOf(self, hasMoved, found) : [];
	const all = webhooks.map((each) => classify(each, self, hasMoved));
	const chain = all[0]?.enabled ? await withoutEndedTest(self, event, all) : all;
	const stored = staticData.read(self.context);
	if (event === 'tick') await markMissing(self, chain);
	return {
		event,
		chain,
		isTestOver: chain.length > 0 && chain[0] !== all[0],
		url,
		isTest,
		policy,
		isSameKey: [digest, undefined].includes(stored.digest),
		hadDisplaced: stored.displaces === true,
		lastDisplaced: lastDisplaced.get(keyOf(self, url)),
		found,
	} satisfies Facts & { event: Event; found: Webhook | undefined };
}

function chainOf(self: Self, hasMoved: boolean, found: Webhook): Webhook[] {
	const opened = openDisplaced(found, self.keys);
	if (!classify(found, self, hasMoved).leadsHere) return opened ?? [found];
	if (opened && tokenOf(found.url)) {
		keepDisplaced(self, opened);
		return opened;
	}
	// Sealed by another n8n or with another API key, or stripped of its query.
	const displaced = lastDisplaced.get(keyOf(self, found.url));
	if (!opened && !displaced) {
		self.context.logger.warn(
			'The displaced webhook cannot be given back: it was encrypted by another n8n, or with an API key that has changed',
		);
	}
	return [withoutSeal(found), ...(displaced ?? [])];
}

/**
 * Without the test in force, if it is over: its n8n knows, whatever the clocks say. A test of this n8n is
 * also over if nothing answers at n8n's start: the process that listened is gone.
 */
async function withoutEndedTest(self: Self, event: Event, chain: Link[]): Promise<Link[]> {
	const [inForce, ...rest] = chain as [Link, ...Link[]];
	if (!isOfTest(inForce)) return chain;
	const url = new URL(inForce.url);
	const mayAsk = event !== 'unpublish' && isReachable(url, self.client.origin);
	const { status, body } = (mayAsk && (await ask(self.context, url.href))) || {};
	if (status === 401 && body?.length === 0) {
		inForce.holder = 'test'; // a trigger's own answer to who has no secret
		return chain;
	}
	const isSilent = [undefined, 502, 503, 504].includes(status); // a proxy without an n8n behind it
	const isHere = url.origin === new URL(self.address).origin;
	const isAbandoned = [404, 410].includes(status!) || (isSilent && isHere && event === 'start');
	return isAbandoned || hasEnded(inForce) ? rest : chain;
}

const timeoutMs = 5_000;

/** In bytes: more than n8n's own answers have. */
const longestAnswer = 4 * 1024;

/** What answers at a trigger's address; undefined if nothing does in time. Sends no secret, never throws. */
async function ask(context: Context, url: string) {
	// Without a certificate, too: the request contains nothing confidential.
	const request = { url: addressOf(url), skipSslCertificateValidation: true };
	return await post(context, request, timeoutMs, longestAnswer).catch(() => undefined);
}

/** How often in a row their n8n has said of triggers that they are not published, by a digest of their URLs. */
const missing = inProcess.map<number>(1_000);

/** Notes what answered at the URL of a trigger. @returns how often in a row that was an n8n without this webhook */
export function noteAnswer(
	url: string,
	{ status, body }: { status: number; body: Buffer },
): number {
	const key = digestOf(withoutSeal({ url, enabled: true }).url);
	// In n8n's words, which tell it from the 404 of a proxy whose n8n is restarting.
	const isMissing =
		status === 404 && ['webhook', 'is not registered'].every((words) => body.includes(words));
	const times = isMissing ? (missing.get(key) ?? 0) + 1 : 0;
	missing.set(key, times);
	return times;
}

/**
 * Marks, of the triggers that a sharing one passes deliveries on to, those whose n8n says for the second time
 * that they are not published: nobody could take them out when they ended, e.g. because the service was
 * down. Once may be the moment between two publications. Sends no secret, and never throws.
 */
async function markMissing(self: Self, chain: Link[]): Promise<void> {
	const place = chain.findIndex(({ isOwn }) => isOwn);
	const below = place >= 0 && isSharing(chain[place]!) ? chain.slice(place + 1) : [];
	for (const link of below) {
		const { url, enabled, holder } = link;
		if (!enabled || holder !== 'trigger' || !isReachable(new URL(url), self.client.origin))
			continue;
		const answer = await ask(self.context, url);
		link.isMissing = answer !== undefined && noteAnswer(url, answer) >= 2;
	}
}
