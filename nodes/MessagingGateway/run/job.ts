import type { IDataObject, INode } from 'n8n-workflow';

import type { Item } from '../../form/item';
import { asNodeError, type NodeError } from '../../gateway/errors';
import type { ItemRequest } from '../operation';
import type { AskedQuestion } from '../question/question';
import type { AccountInUse } from './accounts';
import type { Key } from './keys/keyStore';

/** An input item whose turn it is. */
export interface Taken {
	index: number;
	/** Only in a dry run: what is known of the message so far. */
	preview?: IDataObject;
	/** Only in the account's test mode: what the output says of it. */
	testMode?: { testMode: true; insteadOf?: string };
}

/** One whose values have been read. */
export interface Job extends Taken {
	item: Item;
	account: AccountInUse;
	request: ItemRequest;
	/** What the message uses up. */
	key?: Key;
}

/** What became of an item; `notStarted`: the run ended before its turn, so nothing was sent. */
export type Fate = Result | 'notStarted';

export type Result = Accepted | Asked | Failed | NotSent;

export interface Accepted {
	kind: 'accepted';
	output: IDataObject[];
	messageId?: string;
	/** By an earlier try of the run. */
	isEarlier?: true;
}

/** A message with a question, accepted or unknown: the person may have it. */
export interface Asked {
	kind: 'asked';
	output: IDataObject[];
	question: AskedQuestion;
}

export interface Failed {
	kind: 'refused' | 'unknown';
	error: NodeError;
	/** The error's own; the error that the node throws also has a summary. */
	description: string;
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

export type FateKind = Result['kind'] | 'notStarted';

export const kindOf = (fate: Fate): FateKind => (fate === 'notStarted' ? fate : fate.kind);

export const isFailed = (fate: Fate): fate is Failed =>
	['refused', 'unknown'].includes(kindOf(fate));

/** Whether nothing is left to do for the item. */
export const isDone = (fate: Fate): boolean => fate !== 'notStarted' && !isFailed(fate);

/** @param cause anything thrown @param endsRun whether it stops the run, unless the node continues */
export function failed(
	node: INode,
	index: number,
	cause: unknown,
	kind: Failed['kind'],
	endsRun = true,
): Failed {
	const error = asNodeError(node, cause);
	if (error !== cause) error.context.itemIndex = index;
	return { kind, error, description: error.description ?? '', endsRun };
}
