import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { AskedQuestion } from '../question/question';

export type NodeError = NodeApiError | NodeOperationError;

/** What became of an item. */
export type Result = Accepted | Asked | Failed | Skipped | Tried | Withheld;

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
	/** The error's own; the one that the node throws has a summary besides. */
	description: string;
	/** No new request was started after it. */
	endsRun: boolean;
}

/** It needed no request. */
export interface Skipped {
	kind: 'skipped';
	output: IDataObject[];
}

/** It was only tried: what would have become of it. */
export interface Tried {
	kind: 'tried';
	output: IDataObject[];
}

/** It did not leave, and might another time: so nothing is kept of it for the next try. */
export interface Withheld {
	kind: 'withheld';
	output: IDataObject[];
}
