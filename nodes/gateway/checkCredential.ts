import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';

import { accountOf, addressBelow, authenticate, type Account } from './account';
import { readWhole } from './client';
import { chatAppNameIs, fields, inCredential } from './credential';
import { explanations } from './explanations';
import { connectionState, isDisconnected } from './endpoints/instance';
import { readWebhook, showsWebhook } from './endpoints/webhook';
import { within } from './pacing/time';
import { judgeAnswer, type FlowingAnswer } from './judge/answer';
import { judgeFailure } from './judge/failure';
import { isNotAuthorized, situationOf } from './judge/situation';
import { refuseIf, type NotAccepted, type Outcome, type Reason } from './outcome';
import { redactor, secretsOf } from './redaction';
import type { GatewayRequest } from './request';
import { asSentence, inThree, withHint } from '../text/text';

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
	const redact = redactor(secretsOf(credential));
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
	const account = accountOf(credential);
	for (const name of Object.keys(fields)) void account[name as keyof Account];
	const { baseUrl, chatAppName, instanceToken } = account;

	const webhook = needsWebhook(await probe(helpers, credential, readWebhook()));
	if (webhook.kind !== 'accepted') throw asNodesDo(webhook, baseUrl.origin);
	if (!instanceToken) return 'Connection successful';
	if (!chatAppName) {
		throw new UserError(`The API key works, but 'Chat App Name' is empty. It is ${chatAppNameIs}.`);
	}

	const instance = await probe(helpers, credential, connectionState(account));
	if (instance.kind === 'accepted') return 'Connection successful, including the instance token';
	const { reason } = instance;
	if (isDisconnected(reason)) return 'Connection successful. The instance is disconnected.';
	throw new UserError(explainInstance(reason, chatAppName));
}

const needsWebhook = refuseIf((body) => (showsWebhook(body) ? undefined : { kind: 'unusable' }));

function asNodesDo(outcome: NotAccepted, origin: string): UserError {
	const { reason } = outcome;
	const where = { origin, isChatApp: false, hasQuery: false };
	const { message, hint, again } = explanations[situationOf(outcome)](reason, where);
	const ofHeader = reason.kind === 'validation' && "Check 'Send API Key As' and 'API Key'.";
	return new UserError(message, { description: inThree(ofHeader || hint, again) });
}

/** The API key was accepted a moment ago, so it is not to blame. */
function explainInstance(reason: Reason, chatAppName: string): string {
	const { kind, text, page } = reason;
	const isOfHeader = kind === 'validation' && /^header\b/i.test(text ?? '');
	if (isNotAuthorized(reason) || isOfHeader) {
		return "The API key works, but the service rejected the instance token. Check 'Instance Token'.";
	}
	if (passing.includes(kind)) {
		return 'The API key works, but the instance token could not be tested. Try again later.';
	}
	const said = text ?? page;
	const what = `The API key works, but the service has no chat-app operations under '${chatAppName}'`;
	return `${asSentence(said ? `${what}: "${said}"` : what)} Check 'Chat App Name': ${chatAppNameIs}.`;
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
		uri: addressBelow(accountOf(credential).baseUrl, path),
		headers: { Accept: 'application/json' },
		timeout: timeoutMs,
		simple: false,
		resolveWithFullResponse: true,
		useStream: true, // limits size and time, see `readWhole`
	} as unknown as IHttpRequestOptions);
	const redact = redactor(secretsOf(credential));
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
