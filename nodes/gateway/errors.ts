import { NodeApiError, NodeOperationError, type Failure, type INode } from 'n8n-workflow';

import type { Client } from './client';
import { isOfInstance } from './account';
import { chatAppNameIs } from './credential';
import { inCredential } from './credentialField';
import {
	situationOf,
	type Explanation,
	type NotAccepted,
	type Reason,
	type Situation,
} from './outcome';
import { longestPauseMs } from './pacing/rate';
import type { GatewayRequest } from './request';
import { servesAgent } from './node';
import { firstThreeSentences } from '../text/text';

/** Texts about a request that may have been carried out, of an operation that must not be repeated. */
export interface Uncertainty {
	/** E.g. 'The message may have been sent'. */
	mayHave: string;
	/** The operation's verb, and the one for items that were accepted: `sends`, `sent`. */
	does: string;
	done: string;
	/** The sentence that says how to find out. */
	check: string;
	/** The same for an AI agent, if it must not read all of that. */
	checkOfAgent?: string;
}

export const uncertaintyFor = (node: INode, texts: Uncertainty): Uncertainty => ({
	...texts,
	check: (servesAgent(node) && texts.checkOfAgent) || texts.check,
});

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

/** Returns an error with its message, which n8n would replace if it contains a network code. */
export function nodeApiError(
	node: INode,
	details: NonNullable<ConstructorParameters<typeof NodeApiError>[2]> & { message: string },
): NodeApiError {
	return Object.assign(new NodeApiError(node, {}, details), { message: details.message });
}

export type NodeError = NodeApiError | NodeOperationError;

/** Returns what was thrown as an error of n8n's. */
export function asNodeError(node: INode, thrown: unknown): NodeError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	return new NodeOperationError(node, thrown instanceof Error ? thrown : String(thrown));
}

/**
 * Limits what is quoted when a request may have been carried out: a page may say 'not sent' or 'try
 * again' in any language. An agent, which would obey, gets no text of the service at all.
 */
function inDoubtOf(reason: Reason, forAgent: boolean): Reason {
	const isCode = reason.kind === 'noAnswer'; // from the network, not from the service
	const quoted = forAgent && !isCode ? { text: undefined, answer: undefined } : {};
	return { ...reason, ...quoted, page: undefined };
}

interface ExplainedRequest {
	origin: string;
	isChatApp: boolean;
}

const baseUrlIs = 'only the part before /v1 or /v2, with its path prefix if it has one';
const checkBaseUrl = `Check 'Base URL' ${inCredential}: ${baseUrlIs}.`;
const checkKeys = ({ isChatApp }: ExplainedRequest) =>
	`Check 'API Key'${isChatApp ? " and 'Instance Token'" : ''} ${inCredential}.`;

export const explainOutcome = (outcome: NotAccepted, where: ExplainedRequest): Explanation =>
	outcome.reason.explanation ??
	(explanations[situationOf(outcome)] ?? explanations.rejected)(outcome.reason, where);

type Explain = (reason: Reason, where: ExplainedRequest) => Explanation;

/** A `hint` has one or two sentences, since a node adds its own. */
export const explanations: Partial<Record<Situation, Explain>> & { rejected: Explain } = {
	// Texts of interface §7.
	invalidToken: ({ text }, where) => ({
		message: `The service rejected the credential: "${text}"`,
		hint: checkKeys(where),
	}),
	instanceDisconnected: ({ text }) => ({
		message: `The chat-app instance is disconnected: "${text}"`,
		hint: 'Reconnect the instance in your messaging service before you send through it.',
	}),

	rejected: (reason, { origin }) => ({
		message: `The service refused the request${quoteReason(reason)}`,
		hint: reason.isPage
			? `A proxy or another website may have answered: check 'Base URL' ${inCredential}${needsHttps(origin)}, or ask the service's operator.`
			: "Check the values against your messaging service's documentation, or contact its support.",
	}),
	notAuthorized: (reason, where) => ({
		message: `The service refused the request${quoteReason(reason)}`,
		hint: checkKeys(where),
	}),
	proxyLogin: ({ status }) => ({
		message: `A proxy between n8n and the service requires a user name and password (HTTP ${status})`,
		hint: "Add both to n8n's environment variables HTTP_PROXY and HTTPS_PROXY.",
	}),
	notFound: (reason, { isChatApp }) => ({
		message: `The service does not know this address${quoteReason(reason)}`,
		hint: isChatApp
			? `Check 'Chat App Name' ${inCredential}: ${chatAppNameIs}. If SMS fails as well, check 'Base URL': ${baseUrlIs}.`
			: checkBaseUrl,
	}),
	validation: ({ text }) => ({
		message: `The service rejected a value in the request: "${text}"`,
		hint: "Your messaging service's documentation shows which values it accepts.",
	}),
	redirect: ({ status, location }) => ({
		message: `The service redirects to ${location ?? 'another address'} (HTTP ${status})`,
		hint: `Enter the final address as 'Base URL' ${inCredential}. Redirects are not followed, so that your API key never reaches another server.`,
	}),
	tooManyRequests: (reason) => ({
		message: `The service is receiving too many requests${quoteReason(reason)}`,
		again: 'Wait a moment, then try again.',
	}),
	unavailable: (reason) => ({
		message: `The service is not available right now${quoteReason(reason)}`,
		again: 'Try again later.',
	}),
	unreadable: ({ text }) => ({
		message: 'The file of this item could not be read from the binary data store of n8n',
		hint: `Nothing was sent${codeInBrackets(text)}.`,
	}),
	blocked: ({ text }) => ({ message: `The request was blocked: ${text}`, hint: checkBaseUrl }),
	neverLeft: ({ text = '' }, { origin }) => ({
		message: `Could not connect to the service at ${origin}`,
		hint: /CERT|SIGN/.test(text)
			? `The service's certificate was not accepted (${text}): check 'Base URL' ${inCredential}, or ask the service's operator. If you trust the certificate, turn on 'Ignore SSL Issues', or set n8n's environment variable NODE_EXTRA_CA_CERTS for your own authority.`
			: `Check 'Base URL' ${inCredential}, also whether it begins with http or https, and make sure that the service is running${codeInBrackets(text)}.`,
	}),
	noAnswer: ({ text = '' }, { origin }) => ({
		message: `The connection to the service at ${origin} ended without an answer`,
		hint:
			needsHttps(origin) && !/TIME/.test(text)
				? `The connection broke${codeInBrackets(text)}: check 'Base URL' ${inCredential}${needsHttps(origin)}.`
				: `The service did not answer in time, or the connection broke${codeInBrackets(text)}.`,
		again: 'Make sure that the service is running, then try again.',
	}),
	serverFault: (reason) => ({
		message: `The service could not process the request${quoteReason(reason)}`,
		again: "The cause is on the service's side: try again later, or contact its support.",
	}),
	tooLarge: ({ status }) => ({
		message: `The service sent an answer of more than 16 MB (HTTP ${status})`,
		hint: `Request less data at once. If you expected a short answer, check 'Base URL' ${inCredential}.`,
	}),
	ambiguous: (reason) => ({
		message: `The service says yes and no at once${quoteReason(reason)}`,
		hint: "Ask your messaging service's support what this answer means.",
	}),
	unusable: (reason) => ({
		message: `The service sent an unexpected answer${quoteReason(reason)}`,
		hint: `Check that 'Base URL' ${inCredential} is the address of the service itself${reason.isPage ? ', not of a website, a proxy or a login page' : ''}.`,
	}),
};

/** A server that speaks https answers plain http with a page, or breaks the connection. */
const needsHttps = (origin: string): string =>
	origin.startsWith('http:') ? ', also whether it must begin with https' : '';

function quoteReason({ text, page, status }: Reason): string {
	const said = text ?? page;
	if (said) return `: "${said}"`;
	return status === undefined ? '' : ` (HTTP ${status})`;
}

const codeInBrackets = (text: string | undefined): string => (text ? ` (${text})` : '');
