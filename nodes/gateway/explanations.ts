import { notTls } from './judge/failure';
import { chatAppNameIs, inCredential } from './credential';
import type { Explanation, Reason } from './outcome';
import type { Situation } from './judge/situation';

interface Where {
	origin: string;
	isChatApp: boolean;
	hasQuery: boolean;
}

const baseUrlIs = 'only the part before /v1 or /v2, with its path prefix if it has one';
const checkBaseUrl = `Check 'Base URL' ${inCredential}: ${baseUrlIs}.`;
const checkKeys = (isChatApp: boolean) => ({
	advice: `Check 'API Key'${isChatApp ? " and 'Instance Token'" : ''} ${inCredential}.`,
	again: `To test ${isChatApp ? 'both' : 'it'}, open the credential and click 'Retry'.`,
});
const maybeGone = 'It may have been deleted or belong to another account.';
const theirFault = "The cause is on the service's side.";

export const explanations: Record<Situation, (reason: Reason, where: Where) => Explanation> = {
	// The five texts of interface §7.
	invalidToken: ({ text }, { isChatApp }) => ({
		message: `The service rejected the credential: "${text}"`,
		...checkKeys(isChatApp),
	}),
	campaignNotFound: ({ text }, { hasQuery }) => ({
		message: `The service could not find this campaign: "${text}"`,
		facts: hasQuery
			? `${maybeGone} If this happens with every campaign, check 'Campaign ID Parameter' ${inCredential}.`
			: maybeGone,
	}),
	deletionNotPermitted: ({ text }) => ({
		message: `The service does not allow deleting this campaign: "${text}"`,
		facts: 'The documentation of the service does not say when campaigns can be deleted.',
	}),
	instanceDisconnected: ({ text }) => ({
		message: `The chat-app instance is disconnected: "${text}"`,
		advice: 'Reconnect the instance in your messaging service.',
	}),
	internalError: (reason, where) => explanations.serverFault(reason, where),

	rejected: (reason, { origin }) => ({
		message: `The service refused the request${quoted(reason)}`,
		advice: reason.status === 400 && !reason.text ? ifHttps(origin) : undefined,
		facts: "See your messaging service's documentation, or contact its support.",
	}),
	notAuthorized: (reason, { isChatApp }) => ({
		message: `The service refused the request${quoted(reason)}`,
		...checkKeys(isChatApp),
	}),
	forbidden: (reason, { isChatApp, origin }) => ({
		message: `The service, or a proxy or firewall in front of it, refused the request${quoted(reason)}`,
		facts: `If there is a proxy or firewall in between, make it allow requests from n8n to ${origin}.`,
		...checkKeys(isChatApp),
	}),
	proxyLogin: ({ status }) => ({
		message: `A proxy between n8n and the service requires a user name and password (HTTP ${status})`,
		facts: 'The request did not reach the service.',
		advice: "Add both to n8n's environment variables HTTP_PROXY and HTTPS_PROXY.",
	}),
	notFound: (reason, { isChatApp }) => ({
		message: `The service does not know this address${quoted(reason)}`,
		advice: isChatApp
			? `Check 'Chat App Name' ${inCredential}: ${chatAppNameIs}. If SMS fails as well, check 'Base URL': ${baseUrlIs}.`
			: checkBaseUrl,
	}),
	validation: ({ text }) => ({
		message: `The service rejected a value in the request: "${text}"`,
		facts: "Your messaging service's documentation shows which values it accepts.",
	}),
	redirect: ({ status, location }) => ({
		message: `The service redirects to ${location ?? 'another address'} (HTTP ${status})`,
		facts: 'Redirects are not followed, so that your API key never reaches another server.',
		advice: `Enter the final address as 'Base URL' ${inCredential}.`,
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
		message: `The request was blocked: ${text}`,
		advice: checkBaseUrl,
	}),
	neverLeft: (reason, { origin }) => ({
		message: `Could not connect to the service at ${origin}`,
		advice: howToConnect(reason),
	}),
	noAnswer: ({ text }, { origin }) => ({
		message: `The connection to the service at ${origin} ended without an answer`,
		advice: /^(ECONNRESET|EPIPE|HPE_\w+)$/.test(text ?? '') ? ifHttps(origin) : undefined,
		facts: `The service did not answer in time, or the connection broke${code(text)}.`,
		again: 'Make sure that the service is running, then try again.',
	}),
	serverFault: (reason) => ({
		message: `The service could not process the request${quoted(reason)}`,
		facts: theirFault,
		again: 'Try again later, or contact its support.',
	}),
	tooLarge: ({ status }) => ({
		message: `The service sent an answer of more than 16 MB (HTTP ${status})`,
		facts: 'The rest of the answer was not read.',
		advice: `Request less data at once. If you expected a short answer, check 'Base URL' ${inCredential}.`,
	}),
	notJson: (reason) => ({
		message: `The service answered with something other than JSON${quoted(reason)}`,
		advice: `Check that 'Base URL' ${inCredential} is the address of the service itself, not of a website, a proxy or a login page.`,
	}),
	empty: ({ status }) => ({
		message: `The service sent an empty answer (HTTP ${status})`,
		advice: checkBaseUrl,
	}),
	contradictory: (reason) => ({
		message: `The service sent a contradictory answer${quoted(reason)}`,
		facts: theirFault,
		advice: 'Ask its support what happened to the request.',
	}),
	unusable: (reason) => ({
		message: `The service sent an unexpected answer${quoted(reason)}`,
		facts:
			reason.status === 304
				? 'The answer says that nothing has changed since an earlier request. A cache may be answering instead of the service.'
				: 'The answer does not have the documented format.',
		advice: checkBaseUrl,
	}),
};

/** What a server that expects https does to a request without it: it answers 400, or with no HTTP. */
const ifHttps = (origin: string): string | undefined =>
	origin.startsWith('http:')
		? `Check 'Base URL' ${inCredential}: if the service's address begins with https, enter it so.`
		: undefined;

/** What is wrong with a certificate and what to do, by Node's codes. */
const certificates: Record<string, string> = {
	CERT_HAS_EXPIRED:
		"has expired. Ask the service's operator to renew it. If browsers accept it, set the clock of n8n's machine.",
	CERT_NOT_YET_VALID:
		"is not valid yet. Set the clock of n8n's machine. If it is right, ask the service's operator.",
	ERR_TLS_CERT_ALTNAME_INVALID: `is for another name. Enter the name that it is for as 'Base URL' ${inCredential}.`,
	DEPTH_ZERO_SELF_SIGNED_CERT: `is self-signed. If you expect that, turn on 'Ignore SSL Issues' ${inCredential}.`,
};

const ofUnknownAuthority =
	"was issued by nobody that n8n trusts. If your own certificate authority issued it, set n8n's environment variable NODE_EXTRA_CA_CERTS. Otherwise, ask the service's operator to send its whole chain.";

function howToConnect({ text = '', location }: Reason): string {
	if (text === notTls) {
		return `This server does not speak https: enter http:// instead in 'Base URL' ${inCredential}.`;
	}
	if (/CERT|SIGN/.test(text)) {
		const names = location ? ` It is for ${location}.` : '';
		return `The service's certificate${code(text)} ${certificates[text] ?? ofUnknownAuthority}${names}`;
	}
	return `Check 'Base URL' ${inCredential}, and make sure that the service is running${code(text)}.`;
}

function quoted({ text, page, status }: Reason): string {
	const said = text ?? page;
	if (said) return `: "${said}"`;
	return status === undefined ? '' : ` (HTTP ${status})`;
}

const code = (text: string | undefined): string => (text ? ` (${text})` : '');
