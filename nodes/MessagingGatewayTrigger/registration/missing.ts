import { inProcess } from '../../gateway/inProcess';
import { isReachable } from '../../text/reachable';
import { digestOf, withoutSeal } from '../identity';
import { ask } from './ask';
import { isSharing, type Link } from './holder';
import type { Self } from './self';

/**
 * Triggers of which their n8n has said that they are not published, by a digest of their URLs. Once may
 * be the moment between two publications.
 */
const missing = inProcess.map<true>(1_000);

const keyOf = (url: string): string => digestOf(withoutSeal({ url, enabled: true }).url);

/** In n8n's words, which tell it from the 404 of a proxy whose n8n is restarting. */
const isUnknown = (status: number, body: Buffer): boolean =>
	status === 404 && ['webhook', 'is not registered'].every((words) => body.includes(words));

/** Remembers what answered at the URL of a trigger; whether that was an n8n without this webhook. */
export function noteAnswer(
	url: string,
	{ status, body }: { status: number; body: Buffer },
): boolean {
	const isMissing = isUnknown(status, body);
	if (isMissing) missing.set(keyOf(url), true);
	else missing.delete(keyOf(url));
	return isMissing;
}

/**
 * Of the triggers that a sharing one passes deliveries on to, those whose n8n says for the second time
 * that they are not published: nobody could take them out when they ended, e.g. because the service was
 * down. Sends no secret, and never throws.
 */
export async function findMissing(self: Self, chain: Link[]): Promise<Set<string>> {
	const found = new Set<string>();
	const place = chain.findIndex(({ isSelf }) => isSelf);
	const own = chain[place];
	if (!own || !isSharing(own)) return found;
	for (const { url, enabled, holder } of chain.slice(place + 1)) {
		if (!enabled || holder !== 'trigger' || !isReachable(url, self.client.origin)) continue;
		const wasMissing = missing.has(keyOf(url));
		const answer = await ask(self.context, url);
		if (answer && noteAnswer(url, answer) && wasMissing) found.add(url);
	}
	return found;
}
