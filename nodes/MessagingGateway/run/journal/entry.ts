import { createHash } from 'crypto';
import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import { nodeApiError, type Uncertainty } from '../../../gateway/errors';
import type { ItemRequest } from '../../operation';
import type { Failed, Fate, Result } from '../job';

/** What is kept of a message that must not be sent again. Contains no secret, as no answer does. */
export type Entry =
	| { kind: 'sending' }
	| { kind: 'accepted' | 'skipped'; output: IDataObject[]; messageId?: string }
	| { kind: 'unknown'; message: string; description: string; httpCode?: string };

/** Of an answer, in characters. */
const longestOutput = 20_000;

/** Undefined for what the next try may send: a question, a refused or a withheld message. */
export function toEntry(fate: Fate): Entry | undefined {
	if (fate === 'notStarted') return undefined;
	if (fate.kind === 'accepted' || fate.kind === 'skipped') {
		const { kind } = fate;
		const messageId = fate.kind === 'accepted' ? fate.messageId : undefined;
		const isLong = JSON.stringify(fate.output).length > longestOutput;
		const output = isLong ? [{ messageId: messageId ?? null }] : fate.output;
		return { kind, output, ...(messageId !== undefined && { messageId }) };
	}
	if (fate.kind !== 'unknown') return undefined;
	const { error, description } = fate as Failed;
	const httpCode = error instanceof NodeApiError && error.httpCode;
	const { message } = error;
	return { kind: 'unknown', message, description, ...(httpCode && { httpCode }) };
}

/** The result of a message that an earlier try has sent. */
export function toResult(
	entry: Entry,
	node: INode,
	{ mayHave, check }: Uncertainty,
	itemIndex: number,
): Result {
	if (entry.kind === 'accepted' || entry.kind === 'skipped') {
		const { kind, output, messageId } = entry;
		return { kind, output, messageId, isEarlier: true };
	}
	const stopped = {
		message: `${mayHave}: the execution was stopped before an answer came`,
		description: check,
		httpCode: undefined,
	};
	const { message, description, httpCode } = entry.kind === 'unknown' ? entry : stopped;
	const error = nodeApiError(node, { message, description, httpCode, itemIndex });
	return { kind: 'unknown', error, description, endsRun: false };
}

/** Recognizes a request in a later try. @param withBody whether its text has to be the same */
export function nameOf({ method, path, recipient, body }: ItemRequest, withBody: boolean): string {
	const parts = [method, path, recipient, withBody && body];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
