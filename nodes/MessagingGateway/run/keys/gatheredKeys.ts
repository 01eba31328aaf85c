import type { Claim, Ending, Key, KeyStore } from './keyStore';

interface Waiting<Input, Output> {
	input: Input;
	resolve: (output: Output) => void;
	reject: (error: unknown) => void;
}

/**
 * Gathers the calls to a store: what is asked for waits until somebody cannot go on without, and
 * what comes up during a call waits for the next. One per row of the store serves all executions of
 * this process, which so take turns: n8n reads a row, changes it and writes it back unlocked, and
 * they would lose each other's keys.
 */
export class GatheredKeys {
	private static readonly byRow = new Map<string, GatheredKeys>();

	private claims: Array<Waiting<Key, Claim>> = [];

	private ends: Array<Waiting<Key & { ending: Ending }, void>> = [];

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
	async claim(input: Key): Promise<Claim> {
		return await new Promise<Claim>((resolve, reject) => {
			this.claims.push({ input, resolve, reject });
		});
	}

	/**
	 * Ends a claim, with the next `flush`. Where the store does not take it, the key reads as
	 * unanswered: the cautious side.
	 */
	async end(key: Key, ending: Ending): Promise<void> {
		await new Promise<void>((resolve) => {
			this.ends.push({ input: { ...key, ending }, resolve, reject: () => resolve() });
		});
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
			const [ends, claims] = [this.ends.splice(0), this.claims.splice(0)];
			// First: a key that is free again may be claimed in the same turn.
			await settle(ends, async (inputs) => {
				await this.store.end(inputs);
				return [];
			});
			await settle(claims, async (inputs) => await this.store.claim(inputs));
		}
		this.isWorking = false;
		if (this.claims.length + this.ends.length === 0) GatheredKeys.byRow.delete(this.row);
	}
}

async function settle<Input, Output>(
	waiting: Array<Waiting<Input, Output>>,
	call: (inputs: Input[]) => Promise<Output[]>,
): Promise<void> {
	if (waiting.length === 0) return;
	try {
		const outputs = await call(waiting.map(({ input }) => input));
		waiting.forEach(({ resolve }, index) => resolve(outputs[index] as Output));
	} catch (error) {
		waiting.forEach(({ reject }) => reject(error));
	}
}
