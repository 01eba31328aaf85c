import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { credentialType } from '../../account/credential';
import { maskAddresses } from '../../account/redaction';
import { tokenParameter, formatToken, type Token } from '../../account/triggerToken';
import { ownerOfNode, type Problem } from '../../n8n/errors';
import { connectTo } from '../../service/client';
import {
	webhookIn,
	readWebhook,
	requireWebhook,
	setWebhook,
	type Webhook,
} from '../../service/endpoints/webhook';
import type { GatewayRequest } from '../../service/request';
import { toNodeApiError } from '../../service/requestError';
import { addressOf } from '../../text/host';
import { nodeIdentityOf, secretFor, digestOf, readDigest } from '../identity';
import { publicationOf } from '../publication';

export type RegistrationContext = IHookFunctions | ITriggerFunctions;

/** The limit of a request. None is repeated: n8n repeats activations itself, and so does the watch. */
const requestTimeoutMs = 10_000;

/** A node, in production or in a test, and the account of its credential. */
export type Self = Awaited<ReturnType<typeof openSelf>>;

/**
 * @param webhookUrl n8n's URL for the node, production or test
 * @throws UserError when the credential's base URL is not an address
 */
export async function openSelf(context: RegistrationContext, webhookUrl: string, isTest = false) {
	const credential = await context.getCredentials(credentialType);
	const client = connectTo(context, credential, maskAddresses);
	const { apiKey } = credential;
	const address = addressOf(webhookUrl);
	const owner = ownerOfNode(context.getNode());
	const publication = publicationOf(context);
	const identity = nodeIdentityOf(context);
	const workflowId = String(context.getWorkflow().id);
	const secret = (until?: number) => secretFor(apiKey, identity, until);
	const digest = digestOf(context, secret());

	const request = async (gatewayRequest: GatewayRequest) => {
		const outcome = await client.attempt(gatewayRequest, requestTimeoutMs);
		if (outcome.kind === 'accepted') return outcome.body;
		throw toNodeApiError(context.getNode(), client, outcome);
	};
	return {
		context,
		/** n8n's address of its webhook, production or test. */
		address,
		isTest,
		client,
		workflowId,
		publication,
		/** The URL that it registers. @param until when a test ends, in ms since 1970 */
		urlAt: (at: string, until?: number) =>
			`${at}?${tokenParameter}=${formatToken({ until, workflowId, secret: secret(until) })}`,
		digest,

		/** Whether the credential has the API key that this node was registered with, as far as is known. */
		isSameKey: [digest, undefined].includes(readDigest(context)),

		isOwnSecret: (token: Token): boolean => token.secret === secret(token.until),

		owner,
		errorOf: ({ message, hint }: Problem) => owner.invalid(message, hint),

		/** The account's webhook; undefined if there is none. @throws NodeApiError when it is not known */
		readWebhook: async (): Promise<Webhook | undefined> =>
			webhookIn(await request({ ...readWebhook(), judge: requireWebhook })) ?? undefined,

		/** Sets the webhook, or switches it off. @throws NodeApiError when the service does not accept it */
		async setWebhook(webhook: Partial<Webhook>): Promise<void> {
			await request(setWebhook({ url: address, enabled: false, ...webhook }));
		},
	};
}
