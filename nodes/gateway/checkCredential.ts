import { IANAZone } from 'luxon';
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';

import { addressBelow, authenticate, parseBaseUrl, secretsOf } from './authenticate';
import { explanations, inCredential } from './explanations';
import { openNames, pathInChatApp, chatAppNameIs, howToPause } from './serviceNames';
import { connectionState, isDisconnected } from './endpoints/instance';
import { readWebhook, showsWebhook } from './endpoints/webhook';
import { within } from './pacing/time';
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
import { refuseIf, type NotAccepted, type Outcome, type Reason } from './outcome';
import { redactor } from './redaction';
import type { GatewayRequest } from './request';
import { rulesOf } from './rules';
import { howToNameZone } from '../text/sendingHours';
import { quoteValue, asSentence, withHint } from '../text/text';
import { readWhole } from './wholeAnswer';

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
): Promise<INodeCredentialTestResult> {
	const redact = redactor(credential);
	try {
		return { status: 'OK', message: redact(await test(this.helpers, credential)) };
	} catch (error) {
		// The form of the credential shows it already.
		const text = withHint(error as UserError).replaceAll(` ${inCredential}`, '');
		return { status: 'Error', message: redact(text) };
	}
}

/** @throws UserError about what has to be corrected */
async function test(helpers: Helpers, credential: Credential): Promise<string> {
	const base = parseBaseUrl(credential);
	const { instanceToken } = secretsOf(credential);
	rulesOf(credential);
	const names = openNames(credential);
	const check = (label: string, is: string, entered: string, parse: Parse, howTo: string) => {
		if (entered === '' || parse(entered)) return;
		const shown = quoteValue(entered, redactor(credential));
		throw new UserError(`${label} is not ${is}: '${shown}'.`, { description: howTo });
	};
	const { defaultCountryCode: home, allowedCountries: allowed, smsScheduleTimezone: zone } = names;
	check('Default Country Code', 'a country', home, parseHomeCountry, howToNameHomeCountry);
	check('Only These Countries', 'a list of countries', allowed, parseCountries, howToNameCountries);
	check('SMS Schedule Timezone', 'a time zone', zone, IANAZone.isValidZone, howToNameZone);
	const { chatAppPause: pause } = names;
	check('Pause Between Messages', 'a number of seconds', pause, parsePause, howToPause);

	const webhook = needsWebhook(await probe(helpers, credential, readWebhook()));
	if (webhook.kind !== 'accepted') throw asNodesDo(webhook, base.origin);
	if (!instanceToken) return 'Connection successful';
	if (!names.chatAppName) {
		throw new UserError(`The API key works, but Chat App Name is empty. It is ${chatAppNameIs}.`);
	}

	const chatAppPath = (path: string) => pathInChatApp(names, path);
	const instance = await probe(helpers, credential, connectionState({ chatAppPath }));
	if (instance.kind === 'accepted') return 'Connection successful, including the instance token';
	const { reason } = instance;
	if (isDisconnected(reason)) return 'Connection successful. The instance is disconnected.';
	throw new UserError(explainInstance(reason, names.chatAppName));
}

type Parse = (entered: string) => unknown;

const needsWebhook = refuseIf((body) => (showsWebhook(body) ? undefined : { kind: 'unusable' }));

function asNodesDo(outcome: NotAccepted, origin: string): UserError {
	const { reason } = outcome;
	const where = { origin, isChatApp: false, hasQuery: false };
	const { message, advice, again, facts } = explanations[situationOf(outcome)](reason, where);
	const ofHeader = reason.kind === 'validation' && "Check 'Send API Key As' and 'API Key'.";
	const description = [ofHeader || (advice ?? again), facts].filter(Boolean).join(' ');
	return new UserError(message, { description });
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
