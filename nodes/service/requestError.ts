import { NodeApiError, type INode, type Failure } from 'n8n-workflow';

import { isOfInstance } from '../account/account';
import { nodeApiError } from '../n8n/errors';
import { servesAgent } from '../n8n/nodeKinds';
import { firstThreeSentences } from '../text/sentences';
import type { Client } from './client';
import { explainOutcome } from './explanations';
import {
	situationOf,
	longestPauseMs,
	type Situation,
	type NotAccepted,
	type Reason,
} from './outcome';
import type { GatewayRequest } from './request';

/** Texts about a request that may have been carried out, of an operation that must not be repeated. */
export interface Uncertainty {
	/** E.g. 'The message may have been sent'. */
	mayHave: string;
	/** The operation's verb, and the one for items that were accepted: `sends`, `sent`. */
	does: string;
	done: string;
	/** The sentence that says how to find out. */
	check: string;
	/** What an AI agent reads in its place, if it must not read all of that. */
	checkOfAgent?: string;
}

/** Hints that name a node's own fields and options, by situation. */
export type Hints = Partial<Record<Situation, string>>;

interface ErrorDetails {
	itemIndex?: number;
	request?: Pick<GatewayRequest, 'path'>;
	uncertainty?: Uncertainty;
	hints?: Hints;
	/** Ends the sentence about a pause that is longer than a run waits. */
	inPause?: string;
}

/**
 * Returns the error of a request that was not accepted, made from plain texts, so that nothing leads to
 * the request, its headers and its secrets. It has at most three sentences besides its message.
 *
 * If the request may have been carried out, the first one says how to find out, and the error never
 * says to try again: an AI agent would do so.
 */
export function toNodeApiError(
	node: INode,
	{ origin }: Pick<Client, 'origin'>,
	outcome: NotAccepted,
	{ itemIndex, request, uncertainty, hints = {}, inPause }: ErrorDetails = {},
): NodeApiError {
	const inDoubt = outcome.kind === 'unknown' ? uncertainty : undefined;
	const reason = inDoubt ? inDoubtOf(outcome.reason, servesAgent(node)) : outcome.reason;
	const situation = situationOf(outcome);
	const isChatApp = request !== undefined && isOfInstance(request.path);
	const where = { origin, isChatApp };
	const { message, hint, again } = explainOutcome({ ...outcome, reason }, where);
	const retryAfterMs = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined;
	const isLongPause = retryAfterMs !== undefined && retryAfterMs > longestPauseMs;
	const failure = inDoubt ? undefined : failureCauses[situation];
	const ofNode = !inDoubt && !reason.explanation && hints[situation];
	const error = nodeApiError(node, {
		message: inDoubt
			? `${inDoubt.mayHave}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
			: message,
		description:
			inPause !== undefined && isLongPause
				? `The service asks for a pause of ${Math.ceil(retryAfterMs / 60_000)} minutes${inPause}`
				: firstThreeSentences(inDoubt?.check, ofNode, hint, !inDoubt && again),
		httpCode: outcome.reason.status?.toString(),
		itemIndex,
		failure: failure && Object.assign({ retryAfterMs }, failure),
	});
	if (reason.answer !== undefined) error.context.answer = reason.answer;
	return error;
}

/** n8n's own words for causes, by which it decides when to poll again. An older n8n passes over them. */
const failureCauses: Partial<Record<Situation, Failure>> = {
	tooManyRequests: { cause: 'rate-limited' },
	unavailable: { cause: 'temporarily-unavailable' },
	serverFault: { cause: 'temporarily-unavailable' },
	noAnswer: { cause: 'temporarily-unavailable' },
	invalidToken: { cause: 'credential-invalid' },
	notAuthorized: { cause: 'credential-invalid' },
};

/**
 * Limits what is quoted when a request may have been carried out: a page may say 'not sent' or 'try
 * again' in any language. An agent, which would obey, gets no text of the service at all.
 */
function inDoubtOf(reason: Reason, forAgent: boolean): Reason {
	const isCode = reason.kind === 'noAnswer'; // from the network, not from the service
	const quoted = forAgent && !isCode ? { text: undefined, answer: undefined } : {};
	return { ...reason, ...quoted, page: undefined };
}
