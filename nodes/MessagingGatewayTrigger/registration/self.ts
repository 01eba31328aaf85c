import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import type { AnswerBody } from '../../gateway/answerBody';
import { connectTo, credentialType, type Client } from '../../gateway/client';
import { readWebhook, setWebhook, webhookIn, type Webhook } from '../../gateway/endpoints/webhook';
import { toNodeApiError } from '../../gateway/errors';
import type { NotAccepted } from '../../gateway/outcome';
import { showHostsOnly } from '../../gateway/redaction';
import type { GatewayRequest } from '../../gateway/request';
import type { Token } from '../../gateway/triggerToken';
import { sealingKeys, type SealingKeys } from '../seal';
import {
	addressOf,
	digestOf,
	identityOf,
	isFrom,
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
export class Self {
	/** The URL that it registers in production. */
	readonly url: string;
	/** Digest of the secret of its production URL. */
	readonly digest: string;
	readonly keys: SealingKeys;
	readonly policy: ConflictPolicy;

	private constructor(
		readonly context: Context,
		/** n8n's address of its webhook, production or test. */
		readonly address: string,
		readonly isTest: boolean,
		readonly client: Client,
		private readonly apiKey: unknown,
	) {
		this.keys = sealingKeys(apiKey, context.getInstanceId());
		this.policy = context.getNodeParameter('conflict') as ConflictPolicy;
		this.digest = digestOf(this.secret());
		this.url = this.urlUntil();
	}

	/**
	 * @param webhookUrl n8n's URL for the node, production or test
	 * @throws UserError when the credential's base URL is not an address
	 */
	static async open(context: Context, webhookUrl: string, isTest = false): Promise<Self> {
		const credential = await context.getCredentials(credentialType);
		const client = connectTo(context, credential, showHostsOnly);
		return new Self(context, addressOf(webhookUrl), isTest, client, credential.apiKey);
	}

	/** @param until for a test: when it ends */
	urlUntil(until?: number): string {
		const shares = this.policy === 'share';
		return withToken(this.address, { until, shares, secret: this.secret(until) });
	}

	/** Whether a secret is this node's, from its current or previous API key. */
	isOwnSecret = ({ secret, until }: Token): boolean =>
		secret === this.secret(until) || digestOf(secret) === staticData.read(this.context).digest;

	/** Whether a secret was derived from the current API key, by whichever node. */
	isOfSameKey = ({ secret }: Token): boolean => isFrom(this.apiKey, secret);

	/** The account's webhook; undefined if there is none. @throws NodeApiError when it is not known */
	async readWebhook(): Promise<Webhook | undefined> {
		const webhook = webhookIn(await this.request(readWebhook()));
		// An unrelated answer must not pass for 'no webhook', which would be overwritten.
		if (webhook !== undefined) return webhook ?? undefined;
		throw this.failure({ kind: 'unknown', reason: { kind: 'unusable' } });
	}

	/** Undefined switches it off. @throws NodeApiError when the service does not accept it */
	async setWebhook(webhook: Webhook | undefined): Promise<void> {
		const off = { url: withToken(this.address, 'off'), enabled: false };
		await this.request(setWebhook(webhook ?? off));
	}

	private async request(request: GatewayRequest): Promise<AnswerBody | undefined> {
		const outcome = await this.client.attempt(request, timeoutMs);
		if (outcome.kind !== 'accepted') throw this.failure(outcome);
		return outcome.body;
	}

	private failure = (outcome: NotAccepted) =>
		toNodeApiError(this.context.getNode(), this.client, outcome);

	private secret = (until?: number): string =>
		secretFor(this.apiKey, identityOf(this.context), until);
}
