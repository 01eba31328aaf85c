import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
	UserError,
} from 'n8n-workflow';

import { addressBelow, authenticate, parseBaseUrl, secretsOf } from './authenticate';
import { howToConnect, mayNeedTls } from './explanations';
import { openNames, pathInChatApp, chatAppNameIs, howToPause } from './serviceNames';
import { connectionState, isDisconnected } from './endpoints/instance';
import { readWebhook, showsWebhook } from './endpoints/webhook';
import { within } from './pacing/deadline';
import { parsePause } from './pacing/pace';
import {
	howToNameCountries,
	howToNameHomeCountry,
	parseCountries,
	parseHomeCountry,
} from '../text/country';
import { judgeAnswer, type FlowingAnswer } from './judge/answer';
import { judgeFailure } from './judge/failure';
import { isNotAuthorized } from './judge/situation';
import type { Outcome, Reason } from './outcome';
import { redactor } from './redaction';
import type { GatewayRequest } from './request';
import { quoteValue } from '../text/quote';
import { asSentence, withHint } from '../text/sentence';
import { readWhole } from './wholeAnswer';

type Verdict = INodeCredentialTestResult;
type Credential = ICredentialDataDecryptedObject;
type Helpers = ICredentialTestFunctions['helpers'];

const timeoutMs = 10_000;

/**
 * Tests a credential by reading the webhook configuration (interface §4.12) and, if there is an
 * instance token, the connection state (§4.10).
 *
 * n8n's declarative test makes only one request, accepts any status 200 and shows bare network codes.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data: credential = {} }: ICredentialsDecrypted<Credential>,
): Promise<Verdict> {
	const verdict = await judge(this.helpers, credential);
	return { ...verdict, message: redactor(credential)(verdict.message) };
}

async function judge(helpers: Helpers, credential: Credential): Promise<Verdict> {
	let base: URL;
	let instanceToken: string;
	try {
		base = parseBaseUrl(credential);
		({ instanceToken } = secretsOf(credential));
	} catch (error) {
		return failed(withHint(error as UserError));
	}
	const names = openNames(credential);
	const quoted = (entered: string) => `'${quoteValue(entered, redactor(credential))}'`;
	const { defaultCountryCode: home, allowedCountries: allowed } = names;
	if (home !== '' && !parseHomeCountry(home)) {
		return failed(
			`Default Country Code is not a country: ${quoted(home)}. ${howToNameHomeCountry}`,
		);
	}
	if (allowed !== '' && !parseCountries(allowed)) {
		return failed(
			`Only These Countries is not a list of countries: ${quoted(allowed)}. ${howToNameCountries}`,
		);
	}
	if (!parsePause(names.chatAppPause)) {
		const entered = quoted(names.chatAppPause);
		return failed(`Pause Between Messages is not a number of seconds: ${entered}. ${howToPause}`);
	}
	const webhook = await probe(helpers, credential, readWebhook());
	if (webhook.kind !== 'accepted') return failed(explainKey(webhook.reason, base.origin));
	if (!showsWebhook(webhook.body)) return failed(notTheService);
	if (!instanceToken) return passed('Connection successful');
	if (!names.chatAppName) {
		return failed(`The API key works, but Chat App Name is empty. It is ${chatAppNameIs}.`);
	}

	const chatAppPath = (path: string) => pathInChatApp(names, path);
	const instance = await probe(helpers, credential, connectionState({ chatAppPath }));
	if (instance.kind === 'accepted')
		return passed('Connection successful, including the instance token');
	return isDisconnected(instance.reason)
		? passed('Connection successful. The instance is disconnected.')
		: failed(explainInstance(instance.reason, names.chatAppName));
}

function explainKey(reason: Reason, origin: string): string {
	const { kind, status, text, page, location } = reason;
	const quoted = text ?? page;
	if (kind === 'neverLeft' || kind === 'noAnswer') {
		const advice = howToConnect(reason, origin, String);
		const what = `Could not reach the service at ${origin}`;
		if (advice) return `${what}. ${advice}`;
		return `${what}${text ? ` (${text})` : ''}. ${mayNeedTls(text, origin) ? checkScheme : 'Check Base URL.'}`;
	}
	if (kind === 'redirect') {
		return `This address redirects to ${location ?? 'another one'}. Enter that address as Base URL.`;
	}
	if (status === 407) {
		return "A proxy between n8n and the service requires a user name and password (HTTP 407). Add both to n8n's environment variables HTTP_PROXY and HTTPS_PROXY.";
	}
	if (status === 403 && !text) {
		const what = 'The service, or a proxy or firewall in front of it, refused the request';
		return inWords(what, page, 'Check API Key, and the proxy or firewall if there is one.');
	}
	if (isNotAuthorized({ kind, status, text })) {
		return inWords('The service rejected the API key', quoted, 'Check API Key.');
	}
	const refused = 'The service refused the request';
	if (kind === 'validation') return inWords(refused, text, 'Check Authentication and API Key.');
	if (kind === 'tooLarge') {
		return 'The answer is larger than 16 MB, so it does not come from the messaging service. Check Base URL.';
	}
	if (kind === 'rejected' && status === 400 && origin.startsWith('http:')) {
		return inWords(refused, quoted, checkScheme);
	}
	if (kind === 'rejected' && status !== 404 && quoted) return `${refused}: "${quoted}"`;
	return isPassing(kind)
		? 'The service is not available right now. Try again later.'
		: notTheService;
}

/** The API key was accepted a moment ago, so it is not to blame. */
function explainInstance(reason: Reason, chatAppName: string): string {
	const { kind, text, page } = reason;
	if (isNotAuthorized(reason)) {
		return 'The API key works, but the service rejected the instance token. Check Instance Token.';
	}
	if (kind === 'neverLeft' || kind === 'noAnswer' || isPassing(kind)) {
		return 'The API key works, but the instance token could not be tested. Try again later.';
	}
	const what = `The API key works, but the service has no chat-app operations under '${chatAppName}'`;
	return inWords(what, text ?? page, `Check Chat App Name: ${chatAppNameIs}.`);
}

const inWords = (what: string, text: string | undefined, advice: string): string =>
	`${asSentence(text ? `${what}: "${text}"` : what)} ${advice}`;

const isPassing = (kind: Reason['kind']): boolean =>
	['tooManyRequests', 'unavailable', 'serverFault'].includes(kind);

const checkScheme =
	"Check Base URL: if the service's address begins with https, enter it so.";

const notTheService =
	'This address does not answer like the messaging service. Check Base URL: only the part before /v1 or /v2, with its path prefix if it has one.';

const passed = (message: string): Verdict => ({ status: 'OK', message });
const failed = (message: string): Verdict => ({ status: 'Error', message });

/** Uses the only request helper that n8n offers to a credential test. */
async function probe(
	helpers: Helpers,
	credential: Credential,
	{ method, path, expected = 'object' }: GatewayRequest,
): Promise<Outcome> {
	const options = authenticate(credential, {
		method,
		uri: addressBelow(parseBaseUrl(credential), path),
		headers: { Accept: 'application/json' },
		timeout: timeoutMs,
		simple: false,
		resolveWithFullResponse: true,
		useStream: true, // limits size and time, see `readWhole`
	} as unknown as IHttpRequestOptions);
	const redact = redactor(credential);
	try {
		const answer = await within(
			timeoutMs,
			undefined, // n8n's older helper takes no signal
			async (signal) => await readWhole((await helpers.request(options)) as FlowingAnswer, signal),
		);
		return judgeAnswer(answer, expected, redact);
	} catch (error) {
		return judgeFailure(error, redact);
	}
}
