import type { IDataObject } from 'n8n-workflow';

import type { NodeError } from '../../gateway/errors';
import type { AskedQuestion } from '../question/question';

/** What became of an item. */
export type Result = Accepted | Asked | Failed | NotSent;

export interface Accepted {
	kind: 'accepted';
	output: IDataObject[];
	messageId?: string;
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
