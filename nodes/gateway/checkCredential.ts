import { IANAZone } from 'luxon';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
	UserError,
} from 'n8n-workflow';

import { addressBelow, authenticate, parseBaseUrl, secretsOf } from './authenticate';
import { explanations, inCredential } from './explanations';
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
import { isNotAuthorized, situationOf } from './judge/situation';
import type { NotAccepted, Outcome, Reason } from './outcome';
import { redactor } from './redaction';
import type { GatewayRequest } from './request';
import { rulesOf } from './rules';
import { howToNameZone } from '../text/sendingHours';
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
		rulesOf(credential);
	} catch (error) {
		return failed(withHint(error as UserError).replaceAll(` ${inCredential}`, ''));
	}
	const names = openNames(credential);
	const { defaultCountryCode: home, allowedCountries: allowed, smsScheduleTimezone: zone } = names;
	const refuse = (what: string, entered: string, howTo: string) =>
		failed(`${what}: '${quoteValue(entered, redactor(credential))}'. ${howTo}`);
	if (home !== '' && !parseHomeCountry(home)) {
		return refuse('Default Country Code is not a country', home, howToNameHomeCountry);
	}
	if (allowed !== '' && !parseCountries(allowed)) {
		return refuse('Only These Countries is not a list of countries', allowed, howToNameCountries);
	}
	if (zone !== '' && !IANAZone.isValidZone(zone)) {
		return refuse('SMS Schedule Timezone is not a time zone', zone, howToNameZone);
	}
	const { chatAppPause: pause } = names;
	if (!parsePause(pause)) {
		return refuse('Pause Between Messages is not a number of seconds', pause, howToPause);
	}
	const webhook = await probe(helpers, credential, readWebhook());
	if (webhook.kind !== 'accepted') return failed(explainKey(webhook, base.origin));
	if (!showsWebhook(webhook.body)) {
		return failed(explainKey({ kind: 'unknown', reason: { kind: 'unusable' } }, base.origin));
	}
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

/** As a node explains it, without what the credential itself shows. */
function explainKey(outcome: NotAccepted, origin: string): string {
	const { reason } = outcome;
	const where = { origin, isChatApp: false, hasQuery: false };
	const { message, advice, again, facts } = explanations[situationOf(outcome)](reason, where);
	const ofHeader = reason.kind === 'validation' && "Check 'Send API Key As' and 'API Key'.";
	const description = [ofHeader || (advice ?? again), facts].filter(Boolean).join(' ');
	return withHint({ message, description }).replaceAll(` ${inCredential}`, '');
}

/** The API key was accepted a moment ago, so it is not to blame. */
function explainInstance(reason: Reason, chatAppName: string): string {
	const { kind, text, page } = reason;
	if (isNotAuthorized(reason)) {
		return 'The API key works, but the service rejected the instance token. Check Instance Token.';
	}
	if (passing.includes(kind)) {
		return 'The API key works, but the instance token could not be tested. Try again later.';
	}
	const said = text ?? page;
	const what = `The API key works, but the service has no chat-app operations under '${chatAppName}'`;
	return `${asSentence(said ? `${what}: "${said}"` : what)} Check Chat App Name: ${chatAppNameIs}.`;
}

const passing = ['neverLeft', 'noAnswer', 'tooManyRequests', 'unavailable', 'serverFault'];

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
