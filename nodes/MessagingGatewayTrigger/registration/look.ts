import type { Webhook } from '../../gateway/endpoints/webhook';
import { inProcess } from '../../gateway/inProcess';
import { tokenOf } from '../../gateway/triggerToken';
import { addressOf, isOff, openDisplaced, staticData, withoutSeal } from '../identity';
import type { Event, Facts } from './decide';
import { classify, hasEnded, isOfTest, type Link } from './holder';
import { ask, markMissing } from './neighbours';
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
	// Nothing tells a copy of n8n from one that has moved, which has to follow its new address.
	const hasMoved = event === 'start';
	const webhooks = isSet ? chainOf(self, hasMoved, found) : [];
	const all = webhooks.map((each) => classify(each, self, hasMoved));
	const chain = all[0]?.enabled ? await withoutEndedTests(self, event, all) : all;
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
	if (!classify(found, self, hasMoved).isOwn) return opened ?? [found];
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

/** A test of this n8n has also ended if nobody listens: the process that did is gone. */
async function withoutEndedTests(self: Self, event: Event, chain: Link[]): Promise<Link[]> {
	const [inForce] = chain as [Link];
	let isAbandoned = false;
	const isHere = () => new URL(inForce.url).origin === new URL(self.address).origin;
	if (inForce.holder === 'test' && event !== 'unpublish' && isHere()) {
		const status = (await ask(self.context, inForce.url))?.status ?? 503;
		const isSilent = [502, 503, 504].includes(status); // a proxy without an n8n behind it
		isAbandoned = [404, 410].includes(status) || (isSilent && event === 'start');
	}
	const isOver = (each: Link) => hasEnded(each) || (isAbandoned && each === inForce);
	return chain.filter((each) => !isOfTest(each) || !isOver(each));
}
