import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { Client } from './client';
import { explanations, type Situation } from './explanations';
import type { Explanation, Outcome, Reason } from './outcome';
import type { GatewayRequest } from './request';
import { serviceTexts } from './serviceTexts';
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

type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>;

interface Details {
	itemIndex?: number;
	/** Without it, the instance token is not mentioned. */
	request?: Pick<GatewayRequest, 'path' | 'query'>;
	uncertainty?: Uncertainty;
	advice?: Advice;
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
	{ itemIndex, request, uncertainty, advice = {} }: Details = {},
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
	const httpCode = outcome.reason.status?.toString();
	const error = new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	error.message = message; // n8n replaces a message that contains a network code
	return error;
}

/** The texts of interface §7 explain a refusal better than its status. */
function situationOf({ kind, reason }: NotAccepted): Situation {
	const known = Object.entries(serviceTexts).find(([, text]) => text === reason.text)?.[0];
	if (known && kind === 'refused') return known as Situation;
	if (reason.kind !== 'rejected') return reason.kind;
	if (reason.status === 404) return 'notFound';
	if (reason.status === 407) return 'proxyLogin';
	if (reason.status === 403 && !reason.text) return 'forbidden';
	return reason.status === 401 || reason.status === 403 ? 'notAuthorized' : 'rejected';
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
