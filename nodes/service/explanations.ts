import { chatAppNameIs } from '../account/credential';
import { inCredential } from '../account/credentialField';
import {
	situationOf,
	type NotAccepted,
	type Explanation,
	type Reason,
	type Situation,
} from './outcome';

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
			? `The service's certificate was not accepted (${text}): check 'Base URL' ${inCredential}, or ask the service's operator. If you trust the certificate, turn on 'Ignore SSL Issues' in 'Service Details', or set n8n's environment variable NODE_EXTRA_CA_CERTS for your own authority.`
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
