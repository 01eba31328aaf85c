import { isOfCertificate } from './judgeFailure';
import type { Explanation, Reason } from './outcome';
import type { serviceTexts } from './serviceTexts';

/** Why a request was not accepted, as finely as a person can do something about it. */
export type Situation = Reason['kind'] | keyof typeof serviceTexts | 'notAuthorized' | 'notFound';

interface Where {
	/** Of the service. */
	origin: string;
	/** Whether the instance token went with the request. */
	isChatApp: boolean;
	/** Whether the request named something in its query. */
	hasQuery: boolean;
}

const credential = 'in the Messaging Gateway credential';
const checkBaseUrl = `Check 'Base URL' ${credential}.`;
const checkKeys = (isChatApp: boolean) =>
	isChatApp
		? {
				advice: `Check 'API Key' and 'Instance Token' ${credential}.`,
				again: "The credential's 'Retry' button tests both.",
			}
		: {
				advice: `Check 'API Key' ${credential}.`,
				again: "The credential's 'Retry' button tests it.",
			};
const theirFault = 'The fault is on the side of the service.';

export const explanations: Record<Situation, (reason: Reason, where: Where) => Explanation> = {
	// The five texts of interface §7.
	invalidToken: ({ text }, { isChatApp }) => ({
		message: `The service rejected the credential: "${text}"`,
		...checkKeys(isChatApp),
	}),
	campaignNotFound: ({ text }, { hasQuery }) => ({
		message: `The service does not know this campaign: "${text}"`,
		facts: 'It may have been deleted, or belong to another account.',
		advice: hasQuery
			? `If campaigns of this account are never found, check 'Campaign ID Parameter' ${credential}.`
			: undefined,
	}),
	deletionNotPermitted: ({ text }) => ({
		message: `The service does not allow this campaign to be deleted: "${text}"`,
		facts: 'Its documentation does not say when a campaign may be deleted.',
	}),
	instanceDisconnected: ({ text }) => ({
		message: `The chat-app instance is disconnected: "${text}"`,
		advice: 'Connect the instance again at your messaging service.',
	}),
	internalError: (reason, where) => explanations.serverFault(reason, where),

	rejected: ({ status, text }) => ({
		message: `The service refused the request${quoted(text, status)}`,
		advice: 'The documentation or the support of your messaging service can say more.',
	}),
	notAuthorized: ({ status, text }, { isChatApp }) => ({
		message: `The service refused the request${quoted(text, status)}`,
		...checkKeys(isChatApp),
	}),
	notFound: ({ status, text }, { isChatApp }) => ({
		message: `The service refused the request${quoted(text, status)}`,
		advice: isChatApp ? `Check 'Base URL' and 'Chat App Name' ${credential}.` : checkBaseUrl,
	}),
	validation: ({ text }) => ({
		message: `The service did not accept a value of the request: "${text}"`,
		advice: 'The documentation of your messaging service says what it accepts there.',
	}),
	redirect: ({ status, location }) => ({
		message: `The service redirects to ${location ?? 'another address'} (HTTP ${status})`,
		facts: 'Redirects are not followed, so that the API key reaches no other server.',
		advice: `Enter the final address as 'Base URL' ${credential}.`,
	}),
	tooManyRequests: ({ text }) => ({
		message: `The service is receiving too many requests${quoted(text, 429)}`,
		again: 'Wait a moment, then try again.',
	}),
	unavailable: ({ text }) => ({
		message: `The service is not available right now${quoted(text, 503)}`,
		again: 'Try again later.',
	}),
	unreadable: ({ text }) => ({
		message: 'The file of this item could not be read from the binary data store of n8n',
		facts: `Nothing was sent${code(text)}.`,
	}),
	blocked: ({ text }) => ({
		message: `The request was not allowed to leave: ${text}`,
		advice: checkBaseUrl,
	}),
	neverLeft: ({ text }, { origin }) => ({
		message: `Could not connect to the service at ${origin}`,
		advice: isOfCertificate(text)
			? `The certificate of the service is not trusted${code(text)}. If it is meant to be self-signed, turn on 'Ignore SSL Issues' ${credential}.`
			: `Check 'Base URL' ${credential} and that the service is running${code(text)}.`,
	}),
	noAnswer: ({ text }, { origin }) => ({
		message: `The connection to the service at ${origin} ended without an answer`,
		facts: `The service did not answer in time, or the connection broke${code(text)}.`,
		again: 'Check that the service is running, then try again.',
	}),
	serverFault: ({ text, status }) => ({
		message: `The service could not process the request${quoted(text, status)}`,
		facts: theirFault,
		again: 'Try again later, or ask its support.',
	}),
	tooLarge: ({ status }) => ({
		message: `The service sent an answer of more than 16 MB (HTTP ${status})`,
		facts: 'It was not read any further.',
		advice: `Ask for less at once. If it should be a short answer, check 'Base URL' ${credential}.`,
	}),
	notJson: ({ text, status }) => ({
		message: `The service answered with something other than JSON${quoted(text, status)}`,
		advice: `Check that 'Base URL' ${credential} is the address of the service itself, not of a website, a proxy or a login page.`,
	}),
	empty: ({ status }) => ({
		message: `The service sent an empty answer (HTTP ${status})`,
		advice: checkBaseUrl,
	}),
	contradictory: ({ text, status }) => ({
		message: `The service said yes and no at once${quoted(text, status)}`,
		facts: theirFault,
		advice: 'Its support can say what became of the request.',
	}),
	unusable: ({ text, status }) => ({
		message: `The service sent an answer of an unknown kind${quoted(text, status)}`,
		facts: 'The answer does not have the documented shape.',
		advice: checkBaseUrl,
	}),
};

const quoted = (text: string | undefined, status: number | undefined): string =>
	text ? `: "${text}"` : status === undefined ? '' : ` (HTTP ${status})`;

const code = (text: string | undefined): string => (text ? ` (${text})` : '');
