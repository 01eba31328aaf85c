/** A deduplication key, and the destination of the message that it names. */
export interface Key {
	key: string;
	recipient: string;
}

/**
 * What a store knows of a key that is being claimed: nothing; that its message was accepted; that
 * no answer was recorded; or that it names a message to somebody else.
 */
export type Claim = 'fresh' | 'accepted' | 'unanswered' | 'elsewhere';

/**
 * What becomes of a claim: the message was accepted, has no usable answer, or was not sent, which
 * frees the key. A claim that was not fresh ends as what it was.
 */
export type Ending = Exclude<Claim, 'fresh'> | 'released';

/**
 * Keeps keys of messages across executions. A claim of a fresh key stands at once and outlives the
 * process: without an ending it reads as unanswered.
 */
export interface KeyStore {
	/** Keys that it keeps for sure, the latest ones. */
	capacity: number;
	/**
	 * Claims keys before their requests leave, each one once.
	 *
	 * @returns a claim per key, in their order
	 * @throws whatever keeps it from knowing; then nothing may be sent
	 */
	claim(keys: Key[]): Promise<Claim[]>;
	/** Ends claims. @throws when it can't: then they read as unanswered */
	end(claims: Array<Key & { ending: Ending }>): Promise<void>;
}
