import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Client } from './client';
import { explanations } from './explanations';
import { situationOf, type Situation } from './judge/situation';
import type { Explanation, NotAccepted, Reason } from './outcome';
import { longestPauseMs } from './pacing/limiter';
import type { GatewayRequest } from './request';
import { servesAgent } from './agent';

/** What to tell of a request that may have been carried out, for operations that do not repeat. */
export interface Uncertainty {
	/** E.g. 'The message may have been sent'. */
	mayHave: string;
	/** How to find out. */
	check: string;
}

/** What a node's own fields and options can do about it: added to what is said of all nodes. */
export type Advice = Partial<Record<Situation, string>>;

interface Details {
	itemIndex?: number;
	/** Without it, the instance token is not mentioned. */
	request?: Pick<GatewayRequest, 'path' | 'query'>;
	uncertainty?: Uncertainty;
	advice?: Advice;
	/** Where the service asks for more than a run waits: what becomes of the node meanwhile. */
	inPause?: string;
}

/**
 * Makes the error of a request that was not accepted. It is made from plain texts, so that neither
 * the request nor its headers are reachable from it, and it holds no key or token.
 *
 * What may have been carried out ends with how to find out, and never says to try again: an AI agent
 * would do so.
 */
export function toNodeApiError(
	node: INode,
	{ origin }: Pick<Client, 'origin'>,
	outcome: NotAccepted,
	{ itemIndex, request, uncertainty, advice = {}, inPause }: Details = {},
): NodeApiError {
	const inDoubt = outcome.kind === 'unknown' ? uncertainty : undefined;
	const reason = inDoubt ? inDoubtOf(outcome.reason, servesAgent(node)) : outcome.reason;
	const situation = situationOf(outcome);
	const isChatApp = request?.path.startsWith('/v2/') ?? false;
	const own = reason.explanation;
	const hasQuery = request?.query !== undefined;
	const explanation = own ?? explanations[situation](reason, { origin, isChatApp, hasQuery });

	const { message, description } = inDoubt
		? doubt(inDoubt, explanation)
		: advise(explanation, own ? undefined : advice[situation]);
	const pauseMs = outcome.kind === 'refused' ? (outcome.retryAfterMs ?? 0) : 0;
	return nodeApiError(node, {
		message,
		description:
			inPause !== undefined && pauseMs > longestPauseMs
				? `The service asks for a pause of ${describeMs(pauseMs)}${inPause}`
				: description,
		httpCode: outcome.reason.status?.toString(),
		itemIndex,
	});
}

/** An error with these texts, also where n8n would replace a message that contains a network code. */
export function nodeApiError(
	node: INode,
	told: { message: string; description: string; httpCode?: string; itemIndex?: number },
): NodeApiError {
	return Object.assign(new NodeApiError(node, {}, told), { message: told.message });
}

export type NodeError = NodeApiError | NodeOperationError;

/** Whatever was thrown: n8n's errors of a node as they are. */
export function asNodeError(node: INode, thrown: unknown): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	return new NodeOperationError(node, thrown instanceof Error ? thrown : String(thrown));
}

/** A pause for a person, e.g. `5 minutes`. */
function describeMs(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

const advise = ({ message, ...more }: Explanation, ofNode?: string) => ({
	message,
	description: sentences(more.facts, more.advice, more.again, ofNode),
});

const doubt = ({ mayHave, check }: Uncertainty, { message, facts, advice }: Explanation) => ({
	message: `${mayHave}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
	description: sentences(facts, advice, check),
});

const sentences = (...texts: Array<string | undefined>): string => texts.filter(Boolean).join(' ');

/**
 * What is quoted of an answer that leaves a doubt. A page is not the service's word, and may say
 * 'not sent' or 'try again' in any language; an agent is told nothing, since it would do so.
 */
function inDoubtOf(reason: Reason, forAgent: boolean): Reason {
	const isCode = reason.kind === 'noAnswer'; // of the network, not of the service
	const text = forAgent && !isCode ? undefined : reason.text;
	return { ...reason, text, page: undefined };
}
