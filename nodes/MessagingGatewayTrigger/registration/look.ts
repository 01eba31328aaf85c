import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/inProcess';
import { tokenOf } from '../../gateway/triggerToken';
import { isReachable } from '../../text/reachable';
import { openDisplaced, withoutSeal } from '../displaced';
import { staticData } from '../staticData';
import { addressOf, isOff } from '../url';
import { whoAnswers } from './ask';
import type { Event, Facts } from './decide';
import { classify, hasEnded, isOfTest } from './holder';
import { findMissing } from './missing';
import type { Self } from './self';

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
	const opened = isSet ? openDisplaced(found, self.keys) : [];
	const copies = await findCopies(self, event, opened ?? [found!]);
	const all = isSet ? chainOf(self, copies, found, opened) : [];
	const rest = all[0]?.enabled ? await withoutEndedTests(self, event, all) : all;
	const stored = staticData.read(self.context);
	const chain = rest.map((each) => classify(each, self, copies));
	const missing = event === 'tick' ? await findMissing(self, chain) : new Set<string>();
	return {
		chain: chain.map((each) => ({ ...each, isMissing: missing.has(each.url) })),
		isTestOver: rest.length > 0 && rest[0] !== all[0],
		url,
		isTest,
		policy,
		isSameKey: [digest, undefined].includes(stored.digest),
		hadDisplaced: stored.displaces === true,
		lastDisplaced: lastDisplaced.get(keyOf(self, url)),
		found,
		copies,
	} satisfies Facts & { found: Webhook | undefined; copies: Set<string> };
}

/** @param opened the chain in its URL; undefined if it cannot be read here */
function chainOf(self: Self, copies: Set<string>, found: Webhook, opened?: Webhook[]): Webhook[] {
	if (!classify(found, self, copies).isOwn) return opened ?? [found];
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
 * Both an n8n with a copied database and one that has moved find their own URL at another host. Who
 * answers there tells them apart. In a check, which nobody asked for, doubt changes nothing.
 */
async function findCopies(self: Self, event: Event, chain: Webhook[]): Promise<Set<string>> {
	const copies = new Set<string>();
	for (const { url } of chain) {
		const token = tokenOf(url);
		if (!token || !self.isOwnSecret(token) || !mayAsk(self, url)) continue;
		const answer = await whoAnswers(self.context, url, self.address);
		if (event === 'tick' ? answer !== 'self' : answer === 'somebody') copies.add(addressOf(url));
	}
	return copies;
}

/** A test of this n8n has also ended if nobody listens: the process that did is gone. */
async function withoutEndedTests(self: Self, event: Event, chain: Webhook[]): Promise<Webhook[]> {
	const [inForce] = chain as [Webhook];
	let isAbandoned = false;
	const isRunning = tokenOf(inForce.url)?.until !== undefined && !hasEnded(inForce);
	if (isRunning && event !== 'unpublish' && isAtThisHost(self, inForce.url)) {
		const answer = await whoAnswers(self.context, inForce.url, self.address);
		isAbandoned = answer === 'nobody' || (answer === 'silence' && event === 'start');
	}
	const isOver = (each: Webhook) => hasEnded(each) || (isAbandoned && each === inForce);
	return chain.filter((each) => !isOfTest(each) || !isOver(each));
}

/**
 * Anybody who has seen the secret can make up a URL with it. So only this node's path is asked, and
 * no private network for a service on the internet.
 */
function mayAsk(self: Self, url: string): boolean {
	const tailOf = (each: string) => new URL(each).pathname.split('/').slice(-2).join('/');
	const isSamePath = tailOf(url) === tailOf(self.address);
	return isSamePath && !isAtThisHost(self, url) && isReachable(url, self.client.origin);
}

const isAtThisHost = ({ address }: Self, url: string): boolean =>
	new URL(url).origin === new URL(address).origin;
