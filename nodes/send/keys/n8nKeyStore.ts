import type { DeduplicationHelperFunctions } from 'n8n-workflow';
import { hash } from 'crypto';

import { retryWhileTransient } from '../subWorkflow';
import { requestsFor, type KeyStore, type KeyRequest, type Claim, type Key } from './keyStore';

/** The number of latest keys that are certain to be kept: n8n reads and rewrites all of them with each call. */
export const defaultCapacity = 20_000;

/** The entries of an accepted key, and the most that a look-up adds temporarily. */
const entriesPerKey = 3;
const entriesPerLookUp = 4;

/** One look-up takes so few keys that their entries push none of the latest keys out. */
export const keysPerLookUp = 500;

/** The entries removed by a call: n8n searches all that it has for each, while its thread does nothing else. */
const entriesPerRemoval = 100;

type Mark = 'key' | 'done' | 'to' | 'looking';

/**
 * Keeps keys in n8n's deduplication store (the one behind Remove Duplicates), so that they survive
 * executions and restarts; n8n files them under the node's id.
 *
 * That store keeps plain MD5 hashes, so entries go there as hashes with the instance's id, which n8n
 * shows to its owner and, from 2.41 on, stores in the same database: they keep a number from being read,
 * not from being guessed. The store keeps the order they came in. It cannot read without writing, and
 * removing an entry is slow. So a message that goes out only adds entries: `key` when it is claimed, `done` and
 * `to` when it is accepted. To look up a key that was there before, or is only read, the missing
 * entries are added and removed again; `looking` marks that this is not finished.
 *
 * | there before                                    | the key is               |
 * | ----------------------------------------------- | ------------------------ |
 * | –                                               | fresh                    |
 * | `key`, `done`, `to`                             | accepted                 |
 * | `key`, `done`, `to` of another number           | elsewhere                |
 * | `key` alone, or with `looking` and anything     | unanswered               |
 *
 * What a crash leaves between two calls, or one that is repeated though it was carried out, lacks `done`
 * or has `looking`, so it reads as unanswered: never as fresh when it was sent, and never as accepted
 * when it was not.
 */
export class N8nKeyStore implements KeyStore {
	private readonly options: { mode: 'entries'; maxEntries: number };

	constructor(
		private readonly helpers: DeduplicationHelperFunctions,
		/** Part of each hash, so that those of other instances differ. */
		private readonly instanceId: string,
		capacity = defaultCapacity,
	) {
		const maxEntries = entriesPerKey * capacity + entriesPerLookUp * keysPerLookUp;
		this.options = { mode: 'entries', maxEntries };
	}

	async carryOut(requests: KeyRequest[]): Promise<Claim[]> {
		const keysFor = (action: KeyRequest['action']) =>
			requestsFor(requests, action).map(({ key }) => key);
		const [accepted, released] = [keysFor('accept'), keysFor('release')];
		const [claimed, read] = [keysFor('claim'), keysFor('read')];
		await this.remove(released.map((key) => this.entry('key', key))); // one that is free again may be claimed at once
		const before = await this.add([
			...accepted.flatMap((key) => [this.entry('done', key), this.entry('to', key)]),
			...claimed.map((key) => this.entry('key', key)),
		]);
		const known = claimed.filter((key) => before.has(this.entry('key', key)));
		const claims = new Map([...(await this.lookUp(known)), ...(await this.lookUp(read, true))]);
		return [...claimed, ...read].map((key) => claims.get(key) ?? 'fresh');
	}

	/** @param mayBeFresh whether keys may be missing */
	private async lookUp(keys: Key[], mayBeFresh = false): Promise<Map<Key, Claim>> {
		const claims = new Map<Key, Claim>();
		for (let at = 0; at < keys.length; at += keysPerLookUp) {
			const some = keys.slice(at, at + keysPerLookUp);
			const entries = some.flatMap((key) => [
				...(mayBeFresh ? [this.entry('key', key)] : []), // added first, so pushed out first, as for any key
				...[this.entry('looking', key), this.entry('done', key), this.entry('to', key)],
			]);
			const before = await this.add(entries);
			// `looking` goes last: until then, a crash leaves each key in doubt.
			const marks = new Set(some.map((key) => this.entry('looking', key)));
			const others = entries.filter((entry) => !marks.has(entry));
			await this.remove([...others, ...marks].filter((entry) => !before.has(entry)));
			for (const key of some) {
				const had = (mark: Mark) => before.has(this.entry(mark, key));
				if (mayBeFresh && !had('key')) claims.set(key, 'fresh');
				else if (had('looking') || !had('done')) claims.set(key, 'unanswered');
				else claims.set(key, had('to') ? 'accepted' : 'elsewhere');
			}
		}
		return claims;
	}

	private entry(mark: Mark, key: Key): string {
		const parts = ['v1', this.instanceId, mark, key.scope ?? 'key', key.key];
		if (mark === 'to') parts.push(key.recipient);
		return hash('sha256', JSON.stringify(parts), 'base64url');
	}

	/** @returns the entries that existed before */
	private async add(entries: string[]): Promise<Set<unknown>> {
		if (entries.length === 0) return new Set();
		const { processed } = await retryWhileTransient(
			async () => await this.helpers.checkProcessedAndRecord(entries, 'node', this.options),
		);
		return new Set(processed);
	}

	private async remove(entries: string[]): Promise<void> {
		for (let at = 0; at < entries.length; at += entriesPerRemoval) {
			const some = entries.slice(at, at + entriesPerRemoval);
			await retryWhileTransient(
				async () => await this.helpers.removeProcessed(some, 'node', this.options),
			);
		}
	}
}
