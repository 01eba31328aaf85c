import { isOfCertificate } from './judge/failure';
import type { Explanation, Reason } from './outcome';
import type { Situation } from './judge/situation';

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

	rejected: (reason) => ({
		message: `The service refused the request${quoted(reason)}`,
		advice: 'The documentation or the support of your messaging service can say more.',
	}),
	notAuthorized: (reason, { isChatApp }) => ({
		message: `The service refused the request${quoted(reason)}`,
		...checkKeys(isChatApp),
	}),
	forbidden: (reason, { isChatApp, origin }) => ({
		message: `The service, or a proxy or firewall before it, refused the request${quoted(reason)}`,
		facts: `If there is a proxy or firewall between them, let it pass requests from n8n to ${origin}.`,
		...checkKeys(isChatApp),
	}),
	proxyLogin: ({ status }) => ({
		message: `A proxy between n8n and the service asks for a user name and a password (HTTP ${status})`,
		facts: 'The service did not get the request.',
		advice: 'Set both in the environment variables HTTP_PROXY and HTTPS_PROXY of n8n.',
	}),
	notFound: (reason, { isChatApp }) => ({
		message: `The service refused the request${quoted(reason)}`,
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
	tooManyRequests: (reason) => ({
		message: `The service is receiving too many requests${quoted(reason)}`,
		again: 'Wait a moment, then try again.',
	}),
	unavailable: (reason) => ({
		message: `The service is not available right now${quoted(reason)}`,
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
	serverFault: (reason) => ({
		message: `The service could not process the request${quoted(reason)}`,
		facts: theirFault,
		again: 'Try again later, or ask its support.',
	}),
	tooLarge: ({ status }) => ({
		message: `The service sent an answer of more than 16 MB (HTTP ${status})`,
		facts: 'It was not read any further.',
		advice: `Ask for less at once. If it should be a short answer, check 'Base URL' ${credential}.`,
	}),
	notJson: (reason) => ({
		message: `The service answered with something other than JSON${quoted(reason)}`,
		advice: `Check that 'Base URL' ${credential} is the address of the service itself, not of a website, a proxy or a login page.`,
	}),
	empty: ({ status }) => ({
		message: `The service sent an empty answer (HTTP ${status})`,
		advice: checkBaseUrl,
	}),
	contradictory: (reason) => ({
		message: `The service sent a contradictory answer${quoted(reason)}`,
		facts: theirFault,
		advice: 'Its support can say what became of the request.',
	}),
	unusable: (reason) => ({
		message: `The service sent an answer of an unknown kind${quoted(reason)}`,
		facts:
			reason.status === 304
				? 'It says that nothing has changed since an earlier request, as a cache does that answers in place of the service.'
				: 'The answer does not have the documented shape.',
		advice: checkBaseUrl,
	}),
};

function quoted({ text, page, status }: Reason): string {
	const said = text ?? page;
	if (said) return `: "${said}"`;
	return status === undefined ? '' : ` (HTTP ${status})`;
}

const code = (text: string | undefined): string => (text ? ` (${text})` : '');
