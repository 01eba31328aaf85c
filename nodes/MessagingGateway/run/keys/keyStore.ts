/** A deduplication key, and the destination of the message that it names. */
export interface Key {
	key: string;
	recipient: string;
}

/**
 * What a store knows of a key that is being claimed: nothing; that its message was accepted; that
 * no answer was recorded; or that it names a message to somebody else.
 */
export type Claim = 'fresh' | KnownClaim;
export type KnownClaim = 'accepted' | 'unanswered' | 'elsewhere';

/** A claim that was fresh, and what became of it; a message that was not sent frees its key. */
export interface Ended extends Key {
	ending: 'accepted' | 'released';
}

/**
 * Keeps keys of messages across executions. A claim of a fresh key stands at once and outlives the
 * process: as long as nothing ends it, the key reads as unanswered.
 */
export interface KeyStore {
	/** Keys that it keeps for sure, the latest ones. */
	capacity: number;
	/** What to do where it does not work. */
	advice: string;
	/**
	 * Ends claims, then claims keys before their requests leave, each one once.
	 *
	 * @returns what each claimed key was until now, in their order
	 * @throws whatever keeps it from knowing; then nothing may be sent
	 */
	update(ended: Ended[], claimed: Key[]): Promise<Claim[]>;
}
