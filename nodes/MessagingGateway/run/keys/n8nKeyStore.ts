import type { DeduplicationHelperFunctions } from 'n8n-workflow';

import type { Claim, Ending, Key, KeyStore } from './keyStore';

/** Keys. n8n reads and rewrites all of them with each call. */
const defaultCapacity = 20_000;

/**
 * Entries: two stand for a key, and a third while its claim is open. So looking keys up never pushes
 * out one of the latest, as long as no more claims than these are open at a time.
 */
const openClaims = 2_000;

type Helpers = Pick<DeduplicationHelperFunctions, 'checkProcessedAndRecord' | 'removeProcessed'>;

/**
 * Keeps keys in n8n's deduplication store (the one behind Remove Duplicates), so that they hold
 * across executions and restarts; n8n files them under the node's id.
 *
 * That store keeps hashes only, in the order they came, and has no read without a write. So a key
 * stands there as entries, all written by one call when it is claimed, and what was there before
 * tells the cases apart:
 *
 * | there before       | the key is                                |
 * | ------------------ | ----------------------------------------- |
 * | –                  | fresh                                     |
 * | `key`, `to`        | accepted                                  |
 * | `key`, `to` of another number | elsewhere                      |
 * | `key`, `open`      | unanswered, whoever it names              |
 *
 * Whatever a crash leaves between two calls holds `open`, and so reads as unanswered: it can never
 * make a sent key look fresh, or one that was not sent look accepted.
 */
export class N8nKeyStore implements KeyStore {
	private readonly options: { mode: 'entries'; maxEntries: number };

	constructor(
		private readonly helpers: Helpers,
		readonly capacity = defaultCapacity,
	) {
		this.options = { mode: 'entries', maxEntries: 2 * capacity + openClaims };
	}

	async claim(keys: Key[]): Promise<Claim[]> {
		const entries = keys.flatMap((key) => [nameOf(key), toOf(key), openOf(key)]);
		const before = await this.helpers.checkProcessedAndRecord(entries, 'node', this.options);
		const known = new Set<unknown>(before.processed);
		return keys.map((key) => {
			if (!known.has(nameOf(key))) return 'fresh';
			if (known.has(openOf(key))) return 'unanswered';
			return known.has(toOf(key)) ? 'accepted' : 'elsewhere';
		});
	}

	async end(claims: Array<Key & { ending: Ending }>): Promise<void> {
		const needless = claims.flatMap((claim) => needlessAfter[claim.ending](claim));
		await this.helpers.removeProcessed(needless, 'node', this.options);
	}
}

const nameOf = ({ key }: Key): string => `messagingGateway:key:${key}`;
const toOf = ({ key, recipient }: Key): string => `messagingGateway:to:${recipient}:${key}`;
const openOf = ({ key }: Key): string => `messagingGateway:open:${key}`;

/** The entries that a claim wrote and that do not stay. */
const needlessAfter: Record<Ending, (claim: Key) => string[]> = {
	accepted: (claim) => [openOf(claim)],
	elsewhere: (claim) => [toOf(claim), openOf(claim)],
	unanswered: (claim) => [toOf(claim)],
	released: (claim) => [nameOf(claim), toOf(claim), openOf(claim)],
};
