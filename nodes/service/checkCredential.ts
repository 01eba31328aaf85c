import {
	UserError,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type ICredentialDataDecryptedObject as Credential,
	type INodeCredentialTestResult,
	type IHttpRequestOptions,
} from 'n8n-workflow';
import { randomUUID } from 'crypto';

import { accountOf, authenticate, addressBelow, type Account } from '../account/account';
import { credentialFields } from '../account/credential';
import { inCredential } from '../account/credentialField';
import { redactor, secretsOf } from '../account/redaction';
import { withTimeout } from '../n8n/timeout';
import { withHint, firstThreeSentences } from '../text/sentences';
import { readWhole } from './client';
import { queryCampaigns } from './endpoints/campaigns';
import { connectionState, isDisconnected } from './endpoints/instance';
import { readWebhook } from './endpoints/webhook';
import { explainOutcome } from './explanations';
import { judgeAnswer, type FlowingAnswer } from './judge/answer';
import { judgeFailure } from './judge/failure';
import {
	firstObject,
	isKeyRejected,
	isNotAuthorized,
	refuseIf,
	type NotAccepted,
	type Outcome,
} from './outcome';
import type { GatewayRequest } from './request';

type TestHelpers = ICredentialTestFunctions['helpers'];

const testTimeoutMs = 10_000;

/**
 * Tests a credential by reading the webhook configuration (interface §4.12) and, if it is for the
 * chat app, too, the connection state (§4.10), else a campaign that does not exist (§4.8).
 *
 * n8n's declarative test makes only one request, accepts any status 200 and shows bare network codes.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data: credential = {} }: ICredentialsDecrypted<Credential>,
): Promise<INodeCredentialTestResult> {
	const redact = redactor(secretsOf(credential));
	try {
		return { status: 'OK', message: redact(await testAccount(this.helpers, credential)) };
	} catch (error) {
		// The form of the credential shows it already.
		const text = withHint(error as UserError).replaceAll(` ${inCredential}`, '');
		return { status: 'Error', message: redact(text) };
	}
}

async function testAccount(helpers: TestHelpers, credential: Credential): Promise<string> {
	const account = accountOf(credential);
	for (const name of Object.keys(credentialFields)) void account[name as keyof Account];
	const { baseUrl, chatApp, chatAppName, instanceToken } = account;

	const webhook = refuseUnrelated(await probe(helpers, credential, readWebhook()));
	if (webhook.kind !== 'accepted') throw explainAsNodes(webhook, baseUrl.origin, false);
	if (!chatApp) {
		// The interface lists no rejected key for §4.12. A chat app's key may not read SMS.
		const query = queryCampaigns(account, 'sms', randomUUID());
		const asked = await probe(helpers, credential, query);
		if (asked.kind !== 'accepted' && isKeyRejected(asked.reason))
			throw explainAsNodes(asked, baseUrl.origin, false);
		return 'Connection successful';
	}
	if (!instanceToken || !chatAppName) {
		const empty = instanceToken ? 'Chat App Name' : 'Instance Token';
		const message = `The API key works, but '${empty}' is empty`;
		throw new UserError(message, { description: "Enter it, or turn off 'Chat App'." });
	}

	const instance = await probe(helpers, credential, connectionState(account));
	if (instance.kind === 'accepted') return 'Connection successful, including the instance token';
	if (isDisconnected(instance.reason))
		return 'Connection successful. The instance is disconnected.';
	throw explainAsNodes(instance, baseUrl.origin, true);
}

/** Takes less for the webhook's configuration than the trigger, which is not all that an account is for. */
const refuseUnrelated = refuseIf((body) =>
	['enabled', 'url'].some((name) => name in firstObject(body)) ? undefined : { kind: 'unusable' },
);

/** Explains an outcome as the nodes do. The second one never blames the API key, which was accepted. */
function explainAsNodes(outcome: NotAccepted, origin: string, isChatApp: boolean): UserError {
	const { reason } = outcome;
	const { message, hint, again } = explainOutcome(outcome, { origin, isChatApp });
	const isOfKey = reason.kind === 'validation' || isNotAuthorized(reason);
	const checkKey = isChatApp
		? "Check 'Instance Token'."
		: "Check 'API Key', and 'Send API Key As' in 'Service Details'.";
	const said = isChatApp ? `The API key works. With the instance token: ${message}` : message;
	return new UserError(said, {
		description: firstThreeSentences(isOfKey ? checkKey : hint, again),
	});
}

/** Uses the only request helper that n8n offers to a credential test. */
async function probe(
	helpers: TestHelpers,
	credential: Credential,
	{ method, path, query, expected = 'object' }: GatewayRequest,
): Promise<Outcome> {
	const options = authenticate(credential, {
		method,
		uri: addressBelow(accountOf(credential).baseUrl, path),
		qs: query,
		headers: { Accept: 'application/json' },
		timeout: testTimeoutMs,
		simple: false,
		resolveWithFullResponse: true,
		useStream: true, // limits size and time, see `readWhole`
	} as unknown as IHttpRequestOptions);
	const redact = redactor(secretsOf(credential));
	try {
		const answer = await withTimeout(
			testTimeoutMs,
			undefined, // n8n's older helper takes no signal
			async (signal) => await readWhole((await helpers.request(options)) as FlowingAnswer, signal),
		);
		return judgeAnswer(answer, expected, redact);
	} catch (error) {
		return judgeFailure(error, redact);
	}
}
