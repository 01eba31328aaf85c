import { inProcess } from '../../gateway/inProcess';
import { isReachable } from '../../gateway/addresses';
import { addressOf, digestOf, withoutSeal } from '../identity';
import { firstBytes, post } from '../post';
import { isSharing, type Link } from './holder';
import type { Context, Self } from './self';

const timeoutMs = 5_000;

/** In bytes: more than n8n's own answers have. */
const longestAnswer = 4 * 1024;

/** What answers at a trigger's address, with the body of a 404; undefined if nothing does. Sends no secret, never throws. */
export async function ask(context: Context, url: string): Promise<Reply | undefined> {
	// Without a certificate, too: the request contains nothing confidential.
	const request = { url: addressOf(url), skipSslCertificateValidation: true };
	return await post(context, request, timeoutMs, async ({ statusCode: status, body }) => {
		const nothing = Buffer.alloc(0);
		if (status === 404) {
			return { status, body: await firstBytes(body, longestAnswer).catch(() => nothing) };
		}
		(body as { destroy?(): void } | undefined)?.destroy?.(); // it may never end
		return { status, body: nothing };
	}).catch(() => undefined);
}

type Reply = { status: number; body: Buffer };

/** How often in a row their n8n has said of triggers that they are not published, by a digest of their URLs. */
const missing = inProcess.map<number>(1_000);

/** Notes what answered at the URL of a trigger. @returns how often in a row that was an n8n without this webhook */
export function noteAnswer(url: string, { status, body }: Reply): number {
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
export async function markMissing(self: Self, chain: Link[]): Promise<void> {
	const place = chain.findIndex(({ isSelf }) => isSelf);
	const below = place >= 0 && isSharing(chain[place]!) ? chain.slice(place + 1) : [];
	for (const link of below) {
		const { url, enabled, holder } = link;
		if (!enabled || holder !== 'trigger' || !isReachable(url, self.client.origin)) continue;
		const answer = await ask(self.context, url);
		link.isMissing = answer !== undefined && noteAnswer(url, answer) >= 2;
	}
}
