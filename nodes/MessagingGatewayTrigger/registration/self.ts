import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { connectTo, credentialType } from '../../gateway/client';
import { readWebhook, setWebhook, webhookIn, type Webhook } from '../../gateway/endpoints/webhook';
import { toNodeApiError } from '../../gateway/errors';
import { unknown } from '../../gateway/outcome';
import { maskAddresses } from '../../gateway/redaction';
import type { GatewayRequest, Judge } from '../../gateway/request';
import type { Token } from '../../gateway/triggerToken';
import {
	addressOf,
	digestOf,
	identityOf,
	isFrom,
	sealingKeys,
	secretFor,
	staticData,
	withToken,
} from '../identity';

export type Context = IHookFunctions | ITriggerFunctions;

/** What to do if the webhook is in use. */
export type ConflictPolicy = 'refuse' | 'share' | 'takeOver';

/** In ms. No request is repeated: n8n repeats activations itself, and so does the watch. */
const timeoutMs = 10_000;

/** A node, in production or in a test, and the account of its credential. */
export type Self = Awaited<ReturnType<typeof openSelf>>;

/**
 * @param webhookUrl n8n's URL for the node, production or test
 * @throws UserError when the credential's base URL is not an address
 */
export async function openSelf(context: Context, webhookUrl: string, isTest = false) {
	const credential = await context.getCredentials(credentialType);
	const client = connectTo(context, credential, maskAddresses);
	const { apiKey } = credential;
	const address = addressOf(webhookUrl);
	const policy = context.getNodeParameter('conflict') as ConflictPolicy;
	const shares = policy === 'share';
	const secret = (until?: number) => secretFor(apiKey, identityOf(context), until);
	const urlUntil = (until?: number) => withToken(address, { until, shares, secret: secret(until) });

	const request = async (asked: GatewayRequest) => {
		const outcome = await client.attempt(asked, timeoutMs);
		if (outcome.kind === 'accepted') return outcome.body;
		throw toNodeApiError(context.getNode(), client, outcome);
	};
	return {
		context,
		/** n8n's address of its webhook, production or test. */
		address,
		isTest,
		client,
		policy,
		keys: sealingKeys(apiKey, context.getInstanceId()),
		/** The URL that it registers in production. */
		url: urlUntil(),
		/** @param until for a test: when it ends */
		urlUntil,
		/** Digest of the secret of its production URL. */
		digest: digestOf(secret()),

		/** Whether a secret is this node's, from its current or previous API key. */
		isOwnSecret: (token: Token): boolean =>
			token.secret === secret(token.until) ||
			digestOf(token.secret) === staticData.read(context).digest,

		/** Whether a secret was derived from the current API key, by whichever node. */
		isOfSameKey: (token: Token): boolean => isFrom(apiKey, token.secret),

		/** The account's webhook; undefined if there is none. @throws NodeApiError when it is not known */
		readWebhook: async (): Promise<Webhook | undefined> =>
			webhookIn(await request({ ...readWebhook(), judge: needsWebhook })) ?? undefined,

		/** Undefined switches it off. @throws NodeApiError when the service does not accept it */
		async setWebhook(webhook: Webhook | undefined): Promise<void> {
			const off = { url: withToken(address, 'off'), enabled: false };
			await request(setWebhook(webhook ?? off));
		},
	};
}

/** An unrelated answer must not pass for 'no webhook', which would be overwritten. */
const needsWebhook: Judge = (said) =>
	said.kind === 'accepted' && webhookIn(said.body) === undefined
		? unknown({ kind: 'unusable' })
		: said;
