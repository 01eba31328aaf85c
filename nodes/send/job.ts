import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../form/item';
import type { NodeError } from '../n8n/errors';
import type { CircuitBreaker } from '../pace/circuitBreaker';
import type { Limiter } from '../pace/limiter';
import type { Client } from '../service/client';
import type { RunKey } from './keys/keyStore';
import type { ItemRequest, Question } from './operation';

/** An input item whose values have been read. */
export interface Job {
	index: number;
	/** A dry run collects here what is known of the message so far. A real run has no preview. */
	preview?: IDataObject;
	item: Item;
	account: Client;
	limiter: Limiter;
	/** Of a request that must not be repeated: that of its account's family of paths, or of its instance. */
	breaker?: CircuitBreaker;
	request: ItemRequest;
	key?: RunKey;
	/** Whether the key is known to be used up by an earlier message. Undefined: not looked up ahead. */
	isKeyUsed?: boolean;
	/** The workflow that has to allow the message. */
	permissionFrom?: string;
	/** When that workflow last allowed it, by `performance.now()`. */
	allowedAt?: number;
	/** Other items that its request is for, too. */
	sharing?: Job[];
}

/** An input item whose values may not have been read. */
export type InputItem = Pick<Job, 'index' | 'preview'>;

/** The final result of an item: in this code, its fate. */
export type Fate =
	| { kind: 'accepted'; output: IDataObject[] }
	// The person may have the question: its message was accepted, or that is unknown.
	| { kind: 'asked'; output: IDataObject[]; question: Question; sent: IDataObject; sentAt: number }
	| Failed
	| NotSent
	| typeof notStarted;

export interface Failed {
	/** `notStarted`: too many items before it have failed. */
	kind: 'refused' | 'unknown' | 'notStarted';
	error: NodeError;
	/** The hint of this item alone. The error that the node throws says what became of the list. */
	hint: string;
	/** Whether the failure stops the run, unless the node continues on fail. */
	endsRun: boolean;
}

export function failed(kind: Failed['kind'], error: NodeError, endsRun = true): Failed {
	return { kind, error, hint: error.description ?? '', endsRun };
}

/**
 * - `skipped`: its key says that it was accepted before.
 * - `withheld`: it may not leave now. A later try may send it, so nothing is recorded.
 * - `dryRun`: the output says what would have happened.
 */
export interface NotSent {
	kind: 'skipped' | 'withheld' | 'dryRun';
	output: IDataObject[];
}

/** The run ended before the item's turn. */
export const notStarted = { kind: 'notStarted' } as const;
