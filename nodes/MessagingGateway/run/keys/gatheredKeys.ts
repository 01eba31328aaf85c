import type { Claim, Ended, Key, KeyStore, StoreError } from './keyStore';

interface WaitingClaim {
	key: Key;
	resolve: (claim: Claim) => void;
	reject: (error: unknown) => void;
}

interface WaitingEnd {
	ended: Ended;
	resolve: () => void;
}

/**
 * Gathers the calls to a store: what is asked for waits until somebody cannot go on without, and
 * what comes up during a call waits for the next. One per row of the store serves all executions of
 * this process, which so take turns: n8n reads a row, changes it and writes it back unlocked, and
 * they would lose each other's keys.
 */
export class GatheredKeys {
	private static readonly byRow = new Map<string, GatheredKeys>();

	private claims: WaitingClaim[] = [];

	private ends: WaitingEnd[] = [];

	private isWorking = false;

	private isWanted = false;

	private constructor(
		private readonly row: string,
		private store: KeyStore,
	) {}

	/**
	 * To be asked for anew for each call: who has nothing left to do is forgotten.
	 *
	 * @param row names the store's row, e.g. by workflow and node
	 */
	static of(row: string, store: KeyStore): GatheredKeys {
		const keys = this.byRow.get(row) ?? new GatheredKeys(row, store);
		keys.store = store; // of an execution that is still under way
		this.byRow.set(row, keys);
		return keys;
	}

	/** Whether keys wait to be claimed. */
	get hasClaims(): boolean {
		return this.claims.length > 0;
	}

	/**
	 * Claims a key before its request leaves, with the next `flush`. Two claims of one key must not
	 * overlap.
	 *
	 * @throws whatever the store throws; then nothing may be sent
	 */
	async claim(key: Key): Promise<Claim> {
		return await new Promise<Claim>((resolve, reject) => {
			this.claims.push({ key, resolve, reject });
		});
	}

	/**
	 * Ends a claim, with the next `flush`. Where the store does not take it, the key reads as
	 * unanswered: the cautious side.
	 */
	async end(ended: Ended): Promise<void> {
		await new Promise<void>((resolve) => this.ends.push({ ended, resolve }));
	}

	/** Calls the store, now or after the call that is under way. */
	flush(): void {
		this.isWanted = true;
		if (!this.isWorking) void this.work();
	}

	private async work(): Promise<void> {
		this.isWorking = true;
		while (this.isWanted) {
			await Promise.resolve(); // lets everything that comes up in this turn into the call
			this.isWanted = false;
			await this.update(this.ends.splice(0), this.claims.splice(0));
		}
		this.isWorking = false;
		if (this.claims.length + this.ends.length === 0) GatheredKeys.byRow.delete(this.row);
	}

	private async update(ends: WaitingEnd[], claims: WaitingClaim[]): Promise<void> {
		if (ends.length + claims.length === 0) return;
		try {
			const told = await this.store.update(
				ends.map(({ ended }) => ended),
				claims.map(({ key }) => key),
			);
			claims.forEach(({ resolve }, index) => resolve(told[index] as Claim));
		} catch (error) {
			const { isSilent } = error as StoreError;
			// Those that wait would only wait as long for the same.
			const refused = isSilent ? [...claims, ...this.claims.splice(0)] : claims;
			refused.forEach(({ reject }) => reject(error));
			if (claims.length > 0 && !isSilent) await this.repeatAccepted(ends);
		}
		ends.forEach(({ resolve }) => resolve());
	}

	/**
	 * One claim may be what the store did not take, and costs no other message its record. A release
	 * is not told twice: if the first one was carried out, the key may be claimed by others by now.
	 */
	private async repeatAccepted(ends: WaitingEnd[]): Promise<void> {
		const accepted = ends.map(({ ended }) => ended).filter(({ ending }) => ending === 'accepted');
		if (accepted.length > 0) await this.store.update(accepted, []).catch(() => {});
	}
}
