import type { Deduplication, OncePer } from '../../../form/fields/deduplication';
import type { Account } from '../../../gateway/account';
import type { ItemRequest } from '../../operation';
import type { WorkflowError } from '../subWorkflow';

/** What is used up by one message, and the number that the message goes to. */
export interface Key {
	/** Unique together with `scope`. */
	key: string;
	recipient: string;
	/** Of keys that belong to one number each. Default: `key`. */
	scope?: OncePer;
	/** The workflow that keeps it; undefined: n8n's own store. */
	workflow?: string;
	/** Timeout of its request, in ms. */
	timeoutMs?: number;
	/** Identifies a claim of it, so that a call can be repeated. */
	claimId?: string;
}

/** What names an item's message. By key and number, both together are used up. */
export function keyOf(
	{ key: entered, oncePer: scope }: Deduplication,
	{ request, account }: { request: ItemRequest; account: Account },
): Key {
	const recipient = request.message?.recipient ?? '';
	const key = scope === 'key' ? entered : `${entered} ${recipient}`;
	const { deduplicationWorkflowId: workflow, timeout: timeoutMs } = account;
	return { key, recipient, scope, workflow, timeoutMs };
}

/**
 * The state of a key when it is claimed or read.
 *
 * - `fresh`: not used yet.
 * - `pending`: claimed so recently that an answer may still come.
 * - `accepted`: its message was accepted.
 * - `unanswered`: no answer was recorded, so its message may have been sent.
 * - `elsewhere`: its message went to another number.
 */
export type Claim = 'fresh' | 'pending' | UsedKey;
export type UsedKey = 'accepted' | 'unanswered' | 'elsewhere';

/** What is done with a key. Both ends are of a fresh claim: a message that was not sent releases its key. */
export interface Ask {
	how: Ending | 'claim' | 'read';
	key: Key;
}
export type Ending = 'accept' | 'release';

export const keysOf = (asks: Ask[], how: Ask['how']): Key[] =>
	asks.filter((ask) => ask.how === how).map(({ key }) => key);

/**
 * Keeps keys across executions. A claim takes effect at once and survives a crash: until it is ended,
 * the key reads as unanswered.
 */
export interface KeyStore {
	/** Set once it failed or was silent for so long that this run asks it no more. Ends are still recorded. */
	givenUp?: WorkflowError;
	/**
	 * Ends claims, then claims keys, before their requests leave; or looks keys up, and does nothing
	 * else. Claims or reads each key once. Repeats what fails for up to a minute.
	 *
	 * @returns the state until now of each key that is claimed or read, in their order
	 * @throws WorkflowError when the state is unknown, so that nothing may be sent, or no end is recorded
	 */
	carryOut(asks: Ask[]): Promise<Claim[]>;
}
