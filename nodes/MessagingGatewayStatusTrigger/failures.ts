import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { describeMs } from '../text/describeMs';
import { toNodeApiError } from '../gateway/errors';
import { longestPauseMs } from '../gateway/pacing/limiter';
import type { Outcome } from '../gateway/outcome';
import { serviceTexts } from '../gateway/serviceTexts';
import { adviceFor } from './advice';
import type { Lack, Source } from './statusEvent';
import type { OpenLook } from './look/open';

/** Why a source, or all of them, could not be read or kept. */
export interface Failure {
	/** What is said once: failures of a kind are one. */
	kind: string;
	error: NodeApiError | NodeOperationError;
	/** The source that it is about; absent where the others fail likewise. */
	source?: Source;
}

type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>;

export function notAccepted(
	node: INode,
	{ event, look }: Pick<OpenLook, 'event' | 'look'>,
	source: Source,
	outcome: NotAccepted,
): Failure {
	const error = toNodeApiError(node, look.client, outcome, {
		request: source.request,
		advice: adviceFor(event),
	});
	const { kind, status } = outcome.reason;
	const isOwn = isOfSource(outcome);
	const retryAfterMs = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined;
	if (retryAfterMs !== undefined && retryAfterMs > longestPauseMs) {
		error.description = `The service asks for a pause of ${describeMs(retryAfterMs)}. Until then this node asks it nothing.`;
	}
	return {
		kind: [kind, status, isOwn && source.key].filter(Boolean).join(' '),
		error,
		...(isOwn && { source }),
	};
}

/** Whether the others can be read all the same. */
function isOfSource({ kind: outcome, reason: { kind, status, text } }: NotAccepted): boolean {
	const isOfAll =
		[401, 403].includes(status ?? 0) ||
		text === serviceTexts.invalidToken ||
		text === serviceTexts.instanceDisconnected;
	return outcome === 'refused' && ['rejected', 'validation'].includes(kind) && !isOfAll;
}

/** An answer that says yes, but not what was asked. */
export function without(node: INode, source: Source, { message, description }: Lack): Failure {
	const error = new NodeOperationError(node, message, { description });
	return { kind: `${message} ${source.key}`, error, source };
}

/** @param most characters of the state */
export function tooLarge(node: INode, source: Source, most: number): Failure {
	const error = new NodeOperationError(node, 'There is no room to follow all of these messages', {
		description: `n8n stores what this node has seen with the workflow, and ${most / 1_000_000} MB of it are the most: more than 100,000 messages. Take campaigns out that are over, or spread them over several workflows. What is named is not followed any further; the others are.`,
	});
	return { kind: `too large ${source.key}`, error, source };
}

/** Whatever goes wrong besides: a parameter, the credential. */
export function unforeseen(node: INode, error: unknown): Failure {
	const known = error instanceof NodeApiError || error instanceof NodeOperationError;
	const shown = known
		? error
		: new NodeOperationError(node, error instanceof Error ? error : String(error));
	return { kind: shown.message, error: shown };
}
