import type { Account } from '../../account/account';
import type { OncePer, Deduplication } from '../../form/fields/deduplication';
import { personOf } from '../../text/phoneNumber';
import type { WorkflowError } from '../subWorkflow';

/** A deduplication key, which one message uses up, and the number that the message goes to. */
export interface Key {
	/** Unique together with `scope`. */
	key: string;
	/** As `personOf` spells it. */
	recipient: string;
	/** `keyAndNumber`: the key is used up for its number alone. Default: `key`. */
	scope?: OncePer;
	/** How long, in ms, after a claim by somebody else an answer may still come. Default: none may. */
	timeoutMs?: number;
}

/** A key of an item's message, with what the item's account says about it. */
export interface RunKey extends Key {
	/** The workflow that keeps it; undefined: n8n's own store. */
	workflow?: string;
	/** Identifies the claim of the message that is being sent. */
	claimId?: string;
}

/** Returns the key of an item's message. Once per key and number, both together are the key. */
export function keyOf(
	{ key: entered, oncePer: scope }: Deduplication,
	to: string,
	{ deduplicationWorkflowId: workflow, timeout: timeoutMs }: Account,
): RunKey {
	const recipient = personOf(to);
	const key = scope === 'key' ? entered : `${entered} ${recipient}`;
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
export type Claim = KeyState | 'pending';
export type KeyState = 'fresh' | 'accepted' | 'unanswered' | 'elsewhere';

/** A request to a store. A fresh claim ends with `accept`, or with `release` if its message was not sent. */
export interface KeyRequest {
	action: EndAction | 'claim' | 'read';
	key: Key;
	/** Identifies a claim and its end, so that a call can be repeated. */
	claimId?: string;
}
export type EndAction = 'accept' | 'release';

export const requestsFor = <R extends KeyRequest>(all: R[], ...actions: Array<R['action']>): R[] =>
	all.filter(({ action }) => actions.includes(action));

/**
 * Keeps keys across executions. A claim takes effect at once and survives a crash: until it is ended,
 * the key reads as unanswered.
 */
export interface KeyStore {
	/** Set once the store failed or was silent for so long that this run asks it no more. Ends are still recorded. */
	givenUp?: WorkflowError;
	/**
	 * Ends claims, then claims keys, before their requests leave; or looks keys up, and does nothing
	 * else. Claims or reads each key once. Repeats what fails for up to a minute.
	 *
	 * @returns the state until now of each key that is claimed or read, in their order
	 * @throws WorkflowError when the state is unknown, so that nothing may be sent, or no end is recorded
	 */
	carryOut(requests: KeyRequest[]): Promise<Claim[]>;
}
