import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IHookFunctions,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { AnswerBody } from '../../gateway/answerBody';
import { connectTo, credentialType, type Client } from '../../gateway/client';
import { showHostsOnly } from '../../gateway/redaction';
import { toNodeApiError } from '../../gateway/errors';
import { readWebhook, setWebhook, webhookIn, type Webhook } from '../../gateway/endpoints/webhook';
import { remember } from '../../gateway/memory';
import type { NotAccepted } from '../../gateway/outcome';
import type { GatewayRequest } from '../../gateway/request';
import { tokenOf } from '../../gateway/triggerToken';
import { isReachable } from '../../text/reachable';
import { openDisplaced, sealDisplaced, withoutSeal } from '../displaced';
import { errorOf, inUse, notKept, tooLong, unreachable } from '../errors';
import { sealingKeys, type SealingKeys } from '../seal';
import { digestOf, identityOf, isKnown, secretFor, store } from '../token';
import { addressOf, isOff, withToken } from '../url';
import { ask } from './ask';
import {
	classify,
	displacedIn,
	isMadeBy,
	isOver,
	isTest,
	isTrigger,
	type Found,
	type Self,
} from './ownership';

/** In ms. Nothing is tried again: n8n repeats an activation by itself, and so does the watch. */
const timeoutMs = 10_000;

/** What a URL may have, in characters: more is cut off by too many servers and databases. */
const maxUrlLength = 2_000;

/** In ms: a service may take a moment to tell what it was told. */
const readAgainAfter = [500, 2_000];

/** What a webhook had displaced when this process last saw it: for when nothing else tells. */
const lastDisplaced = remember<Webhook[]>(1_000);

/**
 * Publications and tests that are being registered: deliveries start nothing meanwhile. A service
 * may check whether a URL answers before it takes it, and the workflow is not published yet.
 */
const registering = remember<true>(Infinity);

const keyOf = (context: Context | IWebhookFunctions, isTest: boolean): string =>
	`${identityOf(context)} ${isTest}`;

export const isRegistering = (context: IWebhookFunctions): boolean =>
	registering.has(keyOf(context, context.getMode() === 'manual'));

export type Context = IHookFunctions | ITriggerFunctions;

/** What the webhook is opened for. Where nobody has asked for it (`check`), doubts change nothing. */
export type Purpose = 'publish' | 'start' | 'check' | 'end';

/** The account's webhook as it stands at the service, for one node: it is read, judged and written. */
export class AccountWebhook {
	/** Of the secret of this node's production. */
	readonly digest: string;
	private readonly client: Client;
	private readonly keys: SealingKeys;
	private readonly self: Self;
	/** What is set where nothing is to be given back. */
	private readonly off: Webhook;
	/** What the service has, as far as is known. */
	private current: Webhook | undefined;

	private constructor(
		private readonly context: Context,
		private readonly address: string,
		private readonly purpose: Purpose,
		isTest: boolean,
		private readonly credential: ICredentialDataDecryptedObject,
	) {
		this.client = connectTo(context, credential, showHostsOnly);
		this.keys = sealingKeys(credential.apiKey, context.getInstanceId());
		this.digest = digestOf(this.secret());
		this.off = { url: withToken(address, 'off'), enabled: false };
		this.self = {
			address,
			isTest,
			url: this.ownUrl(),
			hasMade: ({ secret, until }) =>
				secret === this.secret(until) ||
				(until === undefined && isKnown(context, digestOf(secret))),
			copies: new Set(),
		};
	}

	/**
	 * @param webhookUrl n8n's, of the node's production or its test
	 * @throws UserError when the credential's base URL is not an address
	 */
	static async open(context: Context, webhookUrl: string, purpose: Purpose, isTest = false) {
		const credential = await context.getCredentials(credentialType);
		return new AccountWebhook(context, addressOf(webhookUrl), purpose, isTest, credential);
	}

	/** @throws NodeOperationError when the service cannot deliver to this n8n */
	requireReachable(): void {
		const { origin } = this.client;
		if (!isReachable(this.address, origin)) {
			throw errorOf(this.context, unreachable(this.address, origin));
		}
	}

	/**
	 * The webhook in force, and those that it has displaced. What a test that is over has left there
	 * is given back first.
	 */
	async read(): Promise<Found[]> {
		this.current = await this.fetch();
		if (!this.current || isOff(this.current)) return [];
		const opened = openDisplaced(this.current, this.keys);
		await this.findCopies(opened ?? [this.current]);
		const all = this.withDisplaced(this.current, opened);
		const rest = this.current.enabled ? await this.withoutEndedTests(all) : all;
		if (rest.length > 0 && rest[0] !== all[0]) await this.write(rest);
		return rest.map((each) => classify(each, this.self));
	}

	/** Sets the first, with the others sealed in its URL; without one, nothing and off. */
	async write(webhooks: Webhook[]): Promise<Webhook> {
		const [inForce, ...displaced] = this.keepInMind(webhooks);
		const webhook = inForce ? sealDisplaced([inForce, ...displaced], this.keys) : this.off;
		const isTooLong = webhook.url !== inForce?.url && webhook.url.length > maxUrlLength;
		if (isTooLong) throw errorOf(this.context, tooLong(maxUrlLength));
		await this.request(setWebhook(webhook));
		this.current = webhook;
		return webhook;
	}

	/**
	 * Registers this node's URL, and checks whether the service has it. If not, what stood there is
	 * put back, whatever the service shows, which may be late; but not over another trigger's URL.
	 *
	 * @param until of a test: when it is over
	 * @throws NodeOperationError when the service does not keep the URL, or another trigger was quicker
	 */
	async register(displaced: Webhook[], until?: number): Promise<void> {
		const before = this.current;
		const ownUrl = this.ownUrl(until);
		const key = keyOf(this.context, this.self.isTest);
		const isPublishing = this.purpose === 'publish';
		if (isPublishing) registering.set(key, true);
		const { url } = await this.write([{ url: ownUrl, enabled: true }, ...displaced]).finally(
			() => isPublishing && registering.delete(key),
		);
		let kept: Webhook | undefined;
		for (const wait of [0, ...readAgainAfter]) {
			if (wait > 0) await sleep(wait);
			kept = await this.fetch();
			if (kept?.enabled && this.isKept(kept, url, ownUrl)) return;
		}
		if (kept && kept.url !== before?.url) {
			const found = classify(kept, this.self);
			if (isTrigger(found.holder)) throw this.conflict(found);
		}
		await this.request(setWebhook(before ?? this.off));
		throw errorOf(this.context, notKept(url, kept, before));
	}

	/** Registers this node's URL in the place of one from before, beneath triggers that pass deliveries on. */
	async renew(found: Found[], own: Found): Promise<void> {
		const renewed = { url: this.ownUrl(), enabled: true };
		await this.write(found.map((each) => (each === own ? renewed : each)));
		this.remember(displacedIn(found));
	}

	/** Stores what deliveries and the watch need to know of the registration. */
	remember(displaced: Webhook[], address?: string): void {
		const displaces = displaced.length > 0;
		store(this.context, { ...(address && { address }), digest: this.digest, displaces });
	}

	/** What it had displaced when this process last saw it; undefined where it never did. */
	lastDisplaced(): Webhook[] | undefined {
		return lastDisplaced.get(this.memoryOf(this.address));
	}

	/** The error where the webhook is in use. */
	conflict({ holder, url }: Found) {
		const again = this.self.isTest ? 'Listen again' : 'Publish again';
		return errorOf(this.context, inUse(holder, url, again));
	}

	/** Undefined: there is none. @throws NodeApiError when the service does not tell */
	private async fetch(): Promise<Webhook | undefined> {
		const webhook = webhookIn(await this.request(readWebhook()));
		// Something else's answer must not pass for 'no webhook': that would be overwritten.
		if (webhook !== undefined) return webhook ?? undefined;
		throw this.failure({ kind: 'unknown', reason: { kind: 'unusable' } });
	}

	/** @throws NodeApiError when the service does not accept it */
	private async request(request: GatewayRequest): Promise<AnswerBody | undefined> {
		const outcome = await this.client.attempt(request, timeoutMs);
		if (outcome.kind !== 'accepted') throw this.failure(outcome);
		return outcome.body;
	}

	private failure(outcome: NotAccepted) {
		return toNodeApiError(this.context.getNode(), this.client, outcome);
	}

	private secret(until?: number): string {
		return secretFor(this.credential.apiKey, identityOf(this.context), until);
	}

	private ownUrl(until?: number): string {
		const shares = this.context.getNodeParameter('conflict') === 'share';
		return withToken(this.address, { until, shares, secret: this.secret(until) });
	}

	/** The service has this registration, or what has displaced it since and will give it back. */
	private isKept(kept: Webhook, url: string, ownUrl: string): boolean {
		const [, ...displaced] = openDisplaced(kept, this.keys) ?? [];
		return kept.url === url || displaced.some((each) => each.url === ownUrl);
	}

	/** @param opened the same with what it has displaced, where that opens */
	private withDisplaced(webhook: Webhook, opened: Webhook[] | undefined): Webhook[] {
		// A seal of another n8n stays closed.
		if (!classify(webhook, this.self).isOwn) return opened ?? [webhook];
		if (opened && tokenOf(webhook.url)) return this.keepInMind(opened);
		// It was sealed by somebody else, or somebody has dropped the query.
		const displaced = lastDisplaced.get(this.memoryOf(webhook.url));
		if (!opened && !displaced) {
			this.context.logger.warn(
				'The displaced webhook cannot be given back: it was encrypted by another n8n, or with an API key that has changed',
			);
		}
		return [withoutSeal(webhook), ...(displaced ?? [])];
	}

	private keepInMind(webhooks: Webhook[]): Webhook[] {
		const [inForce, ...displaced] = webhooks;
		if (inForce) lastDisplaced.set(this.memoryOf(inForce.url), displaced);
		return webhooks;
	}

	private memoryOf(url: string): string {
		return this.client.origin + addressOf(url);
	}

	/**
	 * An n8n whose database was copied, and one that has moved, find their own URL at another host.
	 * Who answers there shows which of the two it is.
	 */
	private async findCopies(webhooks: Webhook[]): Promise<void> {
		for (const { url } of webhooks) {
			if (!isMadeBy(this.self, url) || this.isAtThisHost(url) || !this.mayAsk(url)) continue;
			const answer = await ask(this.context, url, this.address);
			const isCopy = this.purpose === 'check' ? answer !== 'self' : answer === 'somebody';
			if (isCopy) this.self.copies.add(addressOf(url));
		}
	}

	/** A test of this n8n, in which nobody listens, has ended, too: the process that did so is gone. */
	private async withoutEndedTests(webhooks: Webhook[]): Promise<Webhook[]> {
		const [inForce] = webhooks as [Webhook];
		let isAbandoned = false;
		const isRunning = tokenOf(inForce.url)?.until !== undefined && !isOver(inForce);
		if (isRunning && this.purpose !== 'end' && this.isAtThisHost(inForce.url)) {
			const answer = await ask(this.context, inForce.url, this.address);
			isAbandoned = answer === 'nobody' || (answer === 'silence' && this.purpose === 'start');
		}
		const hasEnded = (each: Webhook) => isOver(each) || (isAbandoned && each === inForce);
		return webhooks.filter((each) => !isTest(each) || !hasEnded(each));
	}

	/**
	 * Who has seen the secret can make up a URL with it. So nothing is asked but this node's path, and
	 * nothing in a private network for a service that is not in one.
	 */
	private mayAsk(url: string): boolean {
		const tailOf = (each: string) => new URL(each).pathname.split('/').slice(-2).join('/');
		return isReachable(url, this.client.origin) && tailOf(url) === tailOf(this.address);
	}

	private isAtThisHost(url: string): boolean {
		return new URL(url).origin === new URL(this.address).origin;
	}
}
