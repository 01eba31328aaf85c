import type { WorkflowError } from '../askedWorkflow';

/** A deduplication key, and the destination of the message that it names. */
export interface Key {
	key: string;
	recipient: string;
	/** How long its request may take, in ms. */
	timeoutMs?: number;
}

/**
 * What a store knows of a key that is claimed or read: nothing; that somebody claimed it so lately that
 * the answer may still come; that its message was accepted; that no answer was recorded; or that it
 * names a message to somebody else.
 */
export type Claim = 'fresh' | 'pending' | KnownClaim;
export type KnownClaim = 'accepted' | 'unanswered' | 'elsewhere';

/** A claim that was fresh, and what became of it; a message that was not sent frees its key. */
export interface Ended extends Key {
	ending: 'accepted' | 'released';
}

/** Why a store does not do what it is asked; without advice of its own, the store's holds. */
export type StoreError = WorkflowError;

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
	 * @throws StoreError whatever keeps it from knowing; then nothing may be sent
	 */
	update(ended: Ended[], claimed: Key[]): Promise<Claim[]>;
	/**
	 * Looks keys up, each one once, and claims none.
	 *
	 * @returns what a claim of each would find now, in their order
	 * @throws StoreError whatever keeps it from knowing
	 */
	read(keys: Key[]): Promise<Claim[]>;
}
