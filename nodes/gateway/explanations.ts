import { notTls } from './judge/failure';
import { chatAppNameIs, inCredential } from './credential';
import type { Explanation, Reason } from './outcome';
import type { Situation } from './judge/situation';

interface Where {
	origin: string;
	isChatApp: boolean;
	hasQuery: boolean;
	hasWorked?: boolean;
}

const baseUrlIs = 'only the part before /v1 or /v2, with its path prefix if it has one';
const checkBaseUrl = `Check 'Base URL' ${inCredential}: ${baseUrlIs}.`;
const checkKeys = ({ isChatApp }: Where) =>
	`Check 'API Key'${isChatApp ? " and 'Instance Token'" : ''} ${inCredential}.`;

/** Says what happened and what to do. A `hint` has one or two sentences, since a node adds its own. */
export const explanations: Record<Situation, (reason: Reason, where: Where) => Explanation> = {
	// The five texts of interface §7.
	invalidToken: ({ text }, where) => ({
		message: `The service rejected the credential: "${text}"`,
		hint: checkKeys(where),
	}),
	campaignNotFound: ({ text }, { hasQuery }) => ({
		message: `The service could not find this campaign: "${text}"`,
		hint: `It may have been deleted or belong to another account.${
			hasQuery
				? ` If this happens with every campaign, check 'Campaign ID Parameter' ${inCredential}.`
				: ''
		}`,
	}),
	deletionNotPermitted: ({ text }) => ({
		message: `The service does not allow deleting this campaign: "${text}"`,
		hint: 'The documentation of the service does not say when campaigns can be deleted.',
	}),
	instanceDisconnected: ({ text }) => ({
		message: `The chat-app instance is disconnected: "${text}"`,
		hint: 'Reconnect the instance in your messaging service.',
	}),
	internalError: (reason, where) => explanations.serverFault(reason, where),

	rejected: (reason, where) => ({
		message: `The service refused the request${quoted(reason)}`,
		hint:
			(reason.status === 400 && !reason.text && ifHttps(where)) ||
			"Check the values against your messaging service's documentation, or contact its support.",
	}),
	notAuthorized: (reason, where) => ({
		message: `The service refused the request${quoted(reason)}`,
		hint: checkKeys(where),
	}),
	forbidden: (reason, where) => ({
		message: `The service, or a proxy or firewall in front of it, refused the request${quoted(reason)}`,
		hint: `${checkKeys(where)} If there is a proxy or firewall in between, make it allow requests from n8n to ${where.origin}.`,
	}),
	proxyLogin: ({ status }) => ({
		message: `A proxy between n8n and the service requires a user name and password (HTTP ${status})`,
		hint: "Add both to n8n's environment variables HTTP_PROXY and HTTPS_PROXY.",
	}),
	notFound: (reason, { isChatApp }) => ({
		message: `The service does not know this address${quoted(reason)}`,
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
		message: `The service is receiving too many requests${quoted(reason)}`,
		again: 'Wait a moment, then try again.',
	}),
	unavailable: (reason) => ({
		message: `The service is not available right now${quoted(reason)}`,
		again: 'Try again later.',
	}),
	unreadable: ({ text }) => ({
		message: 'The file of this item could not be read from the binary data store of n8n',
		hint: `Nothing was sent${code(text)}.`,
	}),
	blocked: ({ text }) => ({
		message: `The request was blocked: ${text}`,
		hint: checkBaseUrl,
	}),
	neverLeft: (reason, { origin }) => ({
		message: `Could not connect to the service at ${origin}`,
		hint: howToConnect(reason),
	}),
	noAnswer: ({ text }, where) => ({
		message: `The connection to the service at ${where.origin} ended without an answer`,
		hint: `The service did not answer in time, or the connection broke${code(text)}.`,
		again:
			(/^(ECONNRESET|EPIPE|HPE_\w+)$/.test(text ?? '') && ifHttps(where)) ||
			'Make sure that the service is running, then try again.',
	}),
	serverFault: (reason) => ({
		message: `The service could not process the request${quoted(reason)}`,
		again: "The cause is on the service's side: try again later, or contact its support.",
	}),
	tooLarge: ({ status }) => ({
		message: `The service sent an answer of more than 16 MB (HTTP ${status})`,
		hint: `Request less data at once. If you expected a short answer, check 'Base URL' ${inCredential}.`,
	}),
	notJson: (reason) => ({
		message: `The service answered with something other than JSON${quoted(reason)}`,
		hint: `Check that 'Base URL' ${inCredential} is the address of the service itself, not of a website, a proxy or a login page.`,
	}),
	empty: ({ status }) => ({
		message: `The service sent an empty answer (HTTP ${status})`,
		hint: checkBaseUrl,
	}),
	contradictory: (reason) => ({
		message: `The service sent a contradictory answer${quoted(reason)}`,
		hint: "Ask the service's support what happened to the request.",
	}),
	unusable: (reason) => ({
		message: `The service sent an unexpected answer${quoted(reason)}`,
		hint: `The answer does not have the documented format. ${checkBaseUrl}`,
	}),
};

/** What a server that expects https does to a request without it: it answers 400, or with no HTTP. */
const ifHttps = ({ origin, hasWorked }: Where): string | false =>
	origin.startsWith('http:') &&
	!hasWorked &&
	`Check 'Base URL' ${inCredential}: if the service's address begins with https, enter it so.`;

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
