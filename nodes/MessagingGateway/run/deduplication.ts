import type { DeduplicationHelperFunctions } from 'n8n-workflow';

import { Lanes } from './lanes';

/** What the store knows of a key that is being claimed. */
export type Claim = 'fresh' | 'accepted' | 'unanswered';

const options = { mode: 'entries', maxEntries: 20_000 } as const;

/**
 * The store's rows, one per node. n8n reads a row, changes it and writes it back, unlocked: all
 * executions of this process take turns, or they would lose each other's keys.
 */
const rows = new Lanes();

/**
 * Keeps keys of sent messages in n8n's deduplication store (the one behind Remove Duplicates), so
 * that they hold across executions, restarts and workers; n8n files them under the node's id.
 *
 * The store keeps hashes only and has no read without a write. So a key stands there as two
 * entries: `claimed`, and `open` until an answer came. Claiming writes both in one call, and what
 * was there before tells the cases apart: nothing → fresh, only `claimed` → accepted, `open` →
 * unanswered. A crash between two calls can leave `open` standing, which reads as 'may have been
 * sent'; it can never make a sent key look fresh.
 *
 * The store rewrites the node's row per call, so calls are gathered: while one is under way, all
 * that comes up waits for the next.
 */
export class Deduplication {
	private claims: Array<{
		key: string;
		resolve: (claim: Claim) => void;
		reject: (error: unknown) => void;
	}> = [];

	private removals: string[] = [];

	private writing: Promise<void> | undefined;

	/** @param row names the node whose keys these are, among those of all workflows */
	constructor(
		private readonly store: DeduplicationHelperFunctions,
		private readonly row: string,
	) {}

	/**
	 * Claims a key before its request leaves. Two claims of one key must not overlap.
	 *
	 * @throws whatever the store throws; then nothing may be sent
	 */
	async claim(key: string): Promise<Claim> {
		return await new Promise<Claim>((resolve, reject) => {
			this.claims.push({ key, resolve, reject });
			this.write();
		});
	}

	/** The message of a claimed key was accepted. */
	markAccepted(key: string): void {
		this.remove([open(key)]);
	}

	/** The message of a claimed key was refused, or never left: the key may be used again. */
	release(key: string): void {
		this.remove([open(key), claimed(key)]);
	}

	/** Waits until all is in the store. */
	async settle(): Promise<void> {
		while (this.writing) await this.writing;
	}

	private remove(entries: string[]): void {
		this.removals.push(...entries);
		this.write();
	}

	private write(): void {
		this.writing ??= this.writeAll();
	}

	private async writeAll(): Promise<void> {
		await Promise.resolve(); // lets everything that comes up in this turn into the first call
		while (this.claims.length > 0 || this.removals.length > 0) {
			await rows.run([this.row], async () => await this.writeGathered());
		}
		this.writing = undefined; // in the turn of the last look, so that nothing is left waiting
	}

	private async writeGathered(): Promise<void> {
		const removals = this.removals.splice(0);
		const claims = this.claims.splice(0);
		// A removal that fails leaves `open` or `claimed` standing: the cautious side.
		if (removals.length > 0) {
			await this.store.removeProcessed(removals, 'node', options).catch(() => {});
		}
		if (claims.length > 0) await this.writeClaims(claims);
	}

	private async writeClaims(claims: typeof this.claims): Promise<void> {
		try {
			const entries = claims.flatMap(({ key }) => [claimed(key), open(key)]);
			const before = await this.store.checkProcessedAndRecord(entries, 'node', options);
			const known = new Set<unknown>(before.processed);
			for (const { key, resolve } of claims) {
				const claim = known.has(open(key))
					? 'unanswered'
					: known.has(claimed(key))
						? 'accepted'
						: 'fresh';
				if (claim === 'accepted') this.removals.push(open(key)); // written by this look-up
				resolve(claim);
			}
		} catch (error) {
			claims.forEach(({ reject }) => reject(error));
		}
	}
}

const claimed = (key: string): string => `messagingGateway:claimed:${key}`;
const open = (key: string): string => `messagingGateway:open:${key}`;
