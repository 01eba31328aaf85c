import { notTls } from './judge/failure';
import { chatAppNameIs } from './serviceNames';
import type { Explanation, Reason } from './outcome';
import type { Situation } from './judge/situation';

interface Where {
	origin: string;
	isChatApp: boolean;
	hasQuery: boolean;
}

const credential = 'in the Messaging Gateway credential';
const checkBaseUrl = `Check 'Base URL' ${credential}.`;
const baseUrlIs = 'only the part before /v1 or /v2, e.g. https://api.example.com';
const checkKeys = (isChatApp: boolean) => ({
	advice: `Check 'API Key'${isChatApp ? " and 'Instance Token'" : ''} ${credential}.`,
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
			? `${maybeGone} If this happens with every campaign, check 'Campaign ID Parameter' ${credential}.`
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

	rejected: (reason) => ({
		message: `The service refused the request${quoted(reason)}`,
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
			? `Check 'Chat App Name' ${credential}: ${chatAppNameIs}. If SMS fails as well, check 'Base URL': ${baseUrlIs}.`
			: `Check 'Base URL' ${credential}: ${baseUrlIs}.`,
	}),
	validation: ({ text }) => ({
		message: `The service rejected a value in the request: "${text}"`,
		facts: "Your messaging service's documentation shows which values it accepts.",
	}),
	redirect: ({ status, location }) => ({
		message: `The service redirects to ${location ?? 'another address'} (HTTP ${status})`,
		facts: 'Redirects are not followed, so that your API key never reaches another server.',
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
		message: `The request was blocked: ${text}`,
		advice: checkBaseUrl,
	}),
	neverLeft: (reason, { origin }) => ({
		message: `Could not connect to the service at ${origin}`,
		advice:
			howToConnect(reason, origin, (field) => `'${field}' ${credential}`) ??
			`Check 'Base URL' ${credential}, and make sure that the service is running${code(reason.text)}.`,
	}),
	noAnswer: ({ text }, { origin }) => ({
		message: `The connection to the service at ${origin} ended without an answer`,
		advice: mayNeedTls(text, origin)
			? `If the service's address begins with https, enter it so as 'Base URL' ${credential}.`
			: undefined,
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
		advice: `Request less data at once. If you expected a short answer, check 'Base URL' ${credential}.`,
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

/**
 * What to do where https itself is in the way; undefined if it is not.
 *
 * @param called what to call a field of the credential
 */
export function howToConnect(
	{ text = '', location }: Reason,
	origin: string,
	called: (field: string) => string,
): string | undefined {
	if (text === notTls) {
		const plain = origin.replace(/^https/, 'http');
		return `This server does not speak https: enter ${plain} as ${called('Base URL')}.`;
	}
	const its = (what: string, advice: string) =>
		`The service's certificate ${what}${code(text)}. ${advice}`;
	switch (text) {
		case 'CERT_HAS_EXPIRED':
			return its(
				'has expired',
				"Ask the service's operator to renew it. If browsers accept it, set the clock of n8n's machine.",
			);
		case 'CERT_NOT_YET_VALID':
			return its(
				'is not valid yet',
				"Set the clock of n8n's machine. If it is right, ask the service's operator.",
			);
		case 'ERR_TLS_CERT_ALTNAME_INVALID':
			return its(
				`is for ${location ?? 'another name'}, not for this address`,
				`Enter the name that it is for as ${called('Base URL')}.`,
			);
		case 'DEPTH_ZERO_SELF_SIGNED_CERT':
			return its('is self-signed', `If you expect that, turn on ${called('Ignore SSL Issues')}.`);
		default:
			if (!/CERT|SIGN|ISSUER|CRL/.test(text)) return undefined;
			return its(
				'was issued by nobody that n8n trusts',
				"If your own certificate authority issued it, set n8n's environment variable NODE_EXTRA_CA_CERTS. Otherwise, ask the service's operator to send its whole chain.",
			);
	}
}

/** Whether the end of a connection looks like that of a server that expects https. */
export const mayNeedTls = (text: string | undefined, origin: string): boolean =>
	origin.startsWith('http:') && /^(ECONNRESET|EPIPE|HPE_\w+)$/.test(text ?? '');

function quoted({ text, page, status }: Reason): string {
	const said = text ?? page;
	if (said) return `: "${said}"`;
	return status === undefined ? '' : ` (HTTP ${status})`;
}

const code = (text: string | undefined): string => (text ? ` (${text})` : '');
