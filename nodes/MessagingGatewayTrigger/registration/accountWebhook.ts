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
import { tokenOf, type Token } from '../../gateway/triggerToken';
import { isReachable } from '../../text/reachable';
import { openDisplaced, sealDisplaced, withoutSeal } from '../displaced';
import { errorOf, inUse, notKept, tooLong, unreachable } from '../errors';
import { sealingKeys, type SealingKeys } from '../seal';
import { digestOf, identityOf, isKnown, secretFor, store } from '../token';
import { addressOf, isOff, withToken } from '../url';
import { whoAnswers } from './ask';
import {
	classify,
	hasEnded,
	hasOwnSecret,
	isTest,
	isTrigger,
	toGiveBack,
	type Link,
	type Self,
} from './ownership';

/** In ms. No request is repeated: n8n repeats activations itself, and so does the watch. */
const timeoutMs = 10_000;

/** In characters. Too many servers and databases cut longer URLs off. */
const maxUrlLength = 2_000;

/** In ms: a service may take a moment to show what it was given. */
const readAgainAfter = [500, 2_000];

/** By address: what a webhook had displaced when this process last read it, in case it is lost. */
const lastDisplaced = remember<Webhook[]>(1_000);

/**
 * Publications and tests being registered. Deliveries start nothing meanwhile: the workflow is not
 * published yet, and a service may check whether a URL answers before it accepts it.
 */
const registering = remember<true>(Infinity);

const keyOf = (context: Context | IWebhookFunctions, isTest: boolean): string =>
	`${identityOf(context)} ${isTest}`;

export const isRegistering = (context: IWebhookFunctions): boolean =>
	registering.has(keyOf(context, context.getMode() === 'manual'));

export type Context = IHookFunctions | ITriggerFunctions;

/** Why the webhook is opened. In a `check`, which nobody asked for, doubt changes nothing. */
export type Purpose = 'publish' | 'start' | 'check' | 'end';

/** The account's webhook at the service, as one node reads and writes it. */
export class AccountWebhook implements Self {
	readonly url: string;
	readonly copies = new Set<string>();
	/** Digest of the secret of this node's production URL. */
	readonly digest: string;
	private readonly client: Client;
	private readonly keys: SealingKeys;
	/** Set when there is nothing to give back. */
	private readonly off: Webhook;
	/** What the service has, as far as is known. */
	private current: Webhook | undefined;

	private constructor(
		private readonly context: Context,
		readonly address: string,
		private readonly purpose: Purpose,
		readonly isTest: boolean,
		private readonly credential: ICredentialDataDecryptedObject,
	) {
		this.client = connectTo(context, credential, showHostsOnly);
		this.keys = sealingKeys(credential.apiKey, context.getInstanceId());
		this.digest = digestOf(this.secret());
		this.url = this.urlUntil();
		this.off = { url: withToken(address, 'off'), enabled: false };
	}

	/**
	 * @param webhookUrl n8n's URL for the node, production or test
	 * @throws UserError when the credential's base URL is not an address
	 */
	static async open(context: Context, webhookUrl: string, purpose: Purpose, isTest = false) {
		const credential = await context.getCredentials(credentialType);
		return new AccountWebhook(context, addressOf(webhookUrl), purpose, isTest, credential);
	}

	isOwnSecret({ secret, until }: Token): boolean {
		if (secret === this.secret(until)) return true;
		return until === undefined && isKnown(this.context, digestOf(secret));
	}

	/** @throws NodeOperationError when the service cannot deliver to this n8n */
	requireReachable(): void {
		const { origin } = this.client;
		if (!isReachable(this.address, origin)) {
			throw errorOf(this.context, unreachable(this.address, origin));
		}
	}

	/** Reads the chain. First ends tests that are over, and gives back what they had displaced. */
	async read(): Promise<Link[]> {
		this.current = await this.fetch();
		if (!this.current || isOff(this.current)) return [];
		const opened = openDisplaced(this.current, this.keys);
		await this.findCopies(opened ?? [this.current]);
		const all = this.chainOf(this.current, opened);
		const rest = this.current.enabled ? await this.withoutEndedTests(all) : all;
		if (rest.length > 0 && rest[0] !== all[0]) await this.write(rest);
		return rest.map((each) => classify(each, this));
	}

	/** Sets a chain: its first webhook, with the others sealed in the URL. An empty one switches off. */
	async write(chain: Webhook[]): Promise<Webhook> {
		const [inForce, ...displaced] = this.keepInMind(chain);
		const webhook = inForce ? sealDisplaced([inForce, ...displaced], this.keys) : this.off;
		const isTooLong = webhook.url !== inForce?.url && webhook.url.length > maxUrlLength;
		if (isTooLong) throw errorOf(this.context, tooLong(maxUrlLength));
		await this.request(setWebhook(webhook));
		this.current = webhook;
		return webhook;
	}

	/**
	 * Registers this node's URL, and checks that the service has stored it. If not, restores what was
	 * there, even if the service already shows that: it may be out of date. Never does so over another
	 * trigger.
	 *
	 * @param until for a test: when it ends
	 * @throws NodeOperationError when the service does not store the URL, or another trigger was faster
	 */
	async register(displaced: Webhook[], until?: number): Promise<void> {
		const before = this.current;
		const ownUrl = this.urlUntil(until);
		const key = keyOf(this.context, this.isTest);
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
			const link = classify(kept, this);
			if (isTrigger(link.holder)) throw this.conflict(link);
		}
		await this.request(setWebhook(before ?? this.off));
		throw errorOf(this.context, notKept(url, kept, before));
	}

	/** Replaces an earlier URL of this node, where it is below triggers that share. */
	async renew(chain: Link[], own: Link): Promise<void> {
		const renewed = { url: this.url, enabled: true };
		await this.write(chain.map((each) => (each === own ? renewed : each)));
		this.remember(toGiveBack(chain));
	}

	/** Stores what deliveries and the watch need to know about the registration. */
	remember(displaced: Webhook[], address?: string): void {
		const displaces = displaced.length > 0;
		store(this.context, { ...(address && { address }), digest: this.digest, displaces });
	}

	/** What this node had displaced when this process last read it; undefined if it never did. */
	lastDisplaced(): Webhook[] | undefined {
		return lastDisplaced.get(this.memoryKey(this.address));
	}

	conflict({ holder, url }: Link) {
		const again = this.isTest ? 'Listen again' : 'Publish again';
		return errorOf(this.context, inUse(holder, url, again));
	}

	/** Undefined if there is no webhook. @throws NodeApiError when the service does not say */
	private async fetch(): Promise<Webhook | undefined> {
		const webhook = webhookIn(await this.request(readWebhook()));
		// An unrelated answer must not pass for 'no webhook', which would be overwritten.
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

	private urlUntil(until?: number): string {
		const shares = this.context.getNodeParameter('conflict') === 'share';
		return withToken(this.address, { until, shares, secret: this.secret(until) });
	}

	/** Whether the service has this registration, or one that has displaced it since. */
	private isKept(kept: Webhook, url: string, ownUrl: string): boolean {
		const [, ...displaced] = openDisplaced(kept, this.keys) ?? [];
		return kept.url === url || displaced.some((each) => each.url === ownUrl);
	}

	/** @param opened the chain in its URL; undefined if these keys cannot open the seal */
	private chainOf(webhook: Webhook, opened: Webhook[] | undefined): Webhook[] {
		if (!classify(webhook, this).isOwn) return opened ?? [webhook];
		if (opened && tokenOf(webhook.url)) return this.keepInMind(opened);
		// Sealed by another n8n, or stripped of its query.
		const displaced = lastDisplaced.get(this.memoryKey(webhook.url));
		if (!opened && !displaced) {
			this.context.logger.warn(
				'The displaced webhook cannot be given back: it was encrypted by another n8n, or with an API key that has changed',
			);
		}
		return [withoutSeal(webhook), ...(displaced ?? [])];
	}

	private keepInMind(chain: Webhook[]): Webhook[] {
		const [inForce, ...displaced] = chain;
		if (inForce) lastDisplaced.set(this.memoryKey(inForce.url), displaced);
		return chain;
	}

	private memoryKey(url: string): string {
		return this.client.origin + addressOf(url);
	}

	/**
	 * Both an n8n with a copied database and one that has moved find their own URL at another host. Who
	 * answers there tells them apart.
	 */
	private async findCopies(chain: Webhook[]): Promise<void> {
		for (const { url } of chain) {
			if (!hasOwnSecret(this, url) || this.isAtThisHost(url) || !this.mayAsk(url)) continue;
			const answer = await whoAnswers(this.context, url, this.address);
			const isCopy = this.purpose === 'check' ? answer !== 'self' : answer === 'somebody';
			if (isCopy) this.copies.add(addressOf(url));
		}
	}

	/** A test of this n8n has also ended if nobody listens: the process that did is gone. */
	private async withoutEndedTests(chain: Webhook[]): Promise<Webhook[]> {
		const [inForce] = chain as [Webhook];
		let isAbandoned = false;
		const isRunning = tokenOf(inForce.url)?.until !== undefined && !hasEnded(inForce);
		if (isRunning && this.purpose !== 'end' && this.isAtThisHost(inForce.url)) {
			const answer = await whoAnswers(this.context, inForce.url, this.address);
			isAbandoned = answer === 'nobody' || (answer === 'silence' && this.purpose === 'start');
		}
		return chain.filter(
			(each) => !isTest(each) || !(hasEnded(each) || (isAbandoned && each === inForce)),
		);
	}

	/**
	 * Anybody who has seen the secret can make up a URL with it. So only this node's path is asked, and
	 * no private network for a service on the internet.
	 */
	private mayAsk(url: string): boolean {
		const tailOf = (each: string) => new URL(each).pathname.split('/').slice(-2).join('/');
		return isReachable(url, this.client.origin) && tailOf(url) === tailOf(this.address);
	}

	private isAtThisHost(url: string): boolean {
		return new URL(url).origin === new URL(this.address).origin;
	}
}
