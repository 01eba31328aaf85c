import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../form/item';
import type { Client } from '../../gateway/client';
import type { NodeError } from '../../gateway/errors';
import type { ItemRequest } from '../operation';
import type { AskedQuestion } from '../question/question';
import type { Key } from './keys/keyStore';

/** An input item whose turn it is. */
export interface InputItem {
	index: number;
	/** Only in a dry run: what is known of the message so far. */
	preview?: IDataObject;
}

/** One whose values have been read. */
export interface Job extends InputItem {
	item: Item;
	account: Client;
	request: ItemRequest;
	/** What the message uses up. */
	key?: Key;
	/** Whether the key was used up before, as far as that was looked up ahead. */
	isKeyUsed?: boolean;
	/** The workflow that has to allow the message. */
	list?: string;
	/** With those of the items that ask the same. */
	shared?: SharedRequest;
}

/** A request of several items. */
export interface SharedRequest {
	jobs: Job[];
	/** Once the first of them has gone. */
	fates?: Promise<Map<Job, Fate>>;
}

/** What became of an item. */
export type Fate =
	| { kind: 'accepted'; output: IDataObject[]; messageId?: string }
	// A message with a question, accepted or unknown: the person may have it.
	| { kind: 'asked'; output: IDataObject[]; question: AskedQuestion }
	| Failed
	| NotSent
	| typeof notStarted;

export interface Failed {
	kind: 'refused' | 'unknown';
	error: NodeError;
	/** The error's own; the error that the node throws says what became of the list. */
	hint: string;
	/** Whether it stopped the run. */
	endsRun: boolean;
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

export const isFailed = (fate: Fate): fate is Failed => 'error' in fate;

/** Whether nothing is left to do for the item. */
export const isDone = ({ kind }: Fate): boolean =>
	kind !== 'notStarted' && kind !== 'refused' && kind !== 'unknown';
