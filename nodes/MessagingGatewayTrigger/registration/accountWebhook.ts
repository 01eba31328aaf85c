import { sleep, type IHookFunctions, type ITriggerFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../gateway/memory';
import { isReachable } from '../../text/reachable';
import { tokenOf, type Webhook } from '../../gateway/triggerToken';
import { ask } from './ask';
import { addressOf } from '../url';
import { whileRegistering } from '../delivery/registering';
import { conflictError, notKeptError, tooLongError } from '../errors';
import { isKnown } from '../secret/cache';
import { digestOf, identityOf, secretFor } from '../token';
import { fold, isOff, unfold, withoutSeal, withToken, type Pile } from '../displaced';
import { sealingKeys, type SealingKeys } from '../secret/seal';
import { openAccount, type Account } from './account';
import { holderOf, isOver, isTest, type Holder } from './ownership';

/** What a URL may have, in characters: more is cut off by too many servers and databases. */
const maxUrlLength = 2_000;

/** In ms: a service may take a moment to tell what it was told. */
const readAgainAfter = [500, 2_000];

/** What lay beneath a registration when this process last saw it: for when nothing else tells. */
export const lastBeneath = new BoundedMap<Pile>(1_000);

const sealedByAnother =
	'What was displaced cannot be given back: another n8n has sealed it, or an API key that has changed';

/** What the webhook is opened for. Where nobody has asked for it (`look`), doubts change nothing. */
export type Purpose = 'publish' | 'start' | 'look' | 'end';

/** The account's webhook for one node. */
export class AccountWebhook {
	/** Of the service. */
	readonly origin: string;
	/** Of this node's production. */
	readonly secret: string;
	private readonly identity: string;
	private readonly keys: SealingKeys;
	/** What the service has, as far as is known. */
	private current: Webhook | undefined;
	/** Addresses with this node's secret that another n8n answers at. */
	private readonly copies = new Set<string>();

	private constructor(
		private readonly context: IHookFunctions | ITriggerFunctions,
		/** n8n's, of the node's webhook. */
		private readonly address: string,
		private readonly purpose: Purpose,
		/** Whether it is about the node's test, and not its production. */
		private readonly isTest: boolean,
		private readonly account: Account,
	) {
		this.origin = account.origin;
		this.identity = identityOf(context);
		this.keys = sealingKeys(account.apiKey, context.getInstanceId());
		this.secret = this.secretOf();
	}

	/** @throws UserError when the credential's base URL is not an address */
	static async open(
		context: IHookFunctions | ITriggerFunctions,
		webhookUrl: string,
		purpose: Purpose,
		isTest = false,
	): Promise<AccountWebhook> {
		const account = await openAccount(context);
		return new AccountWebhook(context, addressOf(webhookUrl), purpose, isTest, account);
	}

	/**
	 * The setting in force, and what lies beneath. What a test that is over has left there is given
	 * back first.
	 */
	async read(): Promise<Pile> {
		this.current = await this.account.read();
		if (!this.current || isOff(this.current)) return [];
		await this.findCopies(unfold(this.current, this.keys) ?? [this.current]);
		const pile = this.unfold(this.current);
		if (!this.current.enabled) return pile;
		const isAbandoned = await this.isAbandoned(this.current);
		const rest = pile.filter(
			(each) => !isTest(each) || !(isOver(each) || (isAbandoned && each === pile[0])),
		);
		if (rest.length > 0 && rest[0] !== pile[0]) await this.write(rest);
		return rest;
	}

	/** Sets the first of a pile, with the others sealed in its URL; without one, nothing and off. */
	async write(pile: Pile): Promise<Webhook> {
		const [top, ...beneath] = this.keep(pile);
		const webhook = top ? fold([top, ...beneath], this.keys) : this.off();
		const isTooLong = webhook.url !== top?.url && webhook.url.length > maxUrlLength;
		if (isTooLong) throw tooLongError(this.context.getNode(), maxUrlLength);
		await this.account.write(webhook);
		this.current = webhook;
		return webhook;
	}

	/**
	 * Registers this node's URL, and looks whether the service has it. If not, what stood there is
	 * put back, whatever the service shows, which may be late; but not over another trigger's URL.
	 *
	 * @throws NodeOperationError when the service does not keep the URL, or another trigger was quicker
	 */
	async register(beneath: Pile, until?: number): Promise<void> {
		const before = this.current;
		const ownUrl = this.ownUrl(until);
		const set = async () => await this.write([{ url: ownUrl, enabled: true }, ...beneath]);
		const { url } =
			this.purpose === 'publish'
				? await whileRegistering(this.context, this.isTest, set)
				: await set();
		let kept: Webhook | undefined;
		for (const wait of [0, ...readAgainAfter]) {
			if (wait > 0) await sleep(wait);
			kept = await this.account.read();
			if (kept?.enabled && this.isKept(kept, url, ownUrl)) return;
		}
		if (kept && kept.url !== before?.url) {
			const holder = this.holder([kept]);
			if (['copy', 'test', 'trigger'].includes(holder)) throw this.conflict(holder, kept.url);
		}
		await this.account.write(before ?? this.off());
		throw notKeptError(this.context.getNode(), url, kept, before);
	}

	holder([top]: Pile): Holder {
		return holderOf(top, {
			ownUrl: this.ownUrl(),
			isOwn: (url) => this.isOwn(url),
			isCopy: (url) => this.copies.has(addressOf(url)),
		});
	}

	/** What a registration displaces: never a test, in which nobody would be listening any more. */
	beneath(pile: Pile): Pile {
		return pile.filter(
			(each) => !isTest(each) && !this.isThis(each.url) && addressOf(each.url) !== this.address,
		);
	}

	/** What lay beneath when this process last saw it; undefined where it never did. */
	lastBeneath(): Pile | undefined {
		return lastBeneath.get(this.memoryOf(this.address));
	}

	/** Whether a URL leads to this node: to its production or its test. */
	isOwn(url: string): boolean {
		// n8n gives the address of a production to one workflow, that of a test to any that listens.
		const leadsHere = addressOf(url) === this.address && (!this.isTest || !tokenOf(url));
		return leadsHere || this.hasOwnSecret(url);
	}

	/** Whether a URL was registered by the one of the two that this is about, wherever n8n was then. */
	isThis(url: string): boolean {
		const token = tokenOf(url);
		if (!token) return addressOf(url) === this.address;
		return (token.until !== undefined) === this.isTest && this.hasOwnSecret(url);
	}

	/** The webhook is in use. */
	conflict(holder: Holder, url: string) {
		const again = this.isTest ? 'Listen again' : 'Publish again';
		return conflictError(this.context.getNode(), holder, url, again);
	}

	private secretOf(until?: number): string {
		return secretFor(this.account.apiKey, this.identity, until);
	}

	private ownUrl(until?: number): string {
		return withToken(this.address, { until, secret: this.secretOf(until) });
	}

	private off(): Webhook {
		return { url: withToken(this.address, 'off'), enabled: false };
	}

	/** Only a secret shows whose a URL is: a copied workflow has the same webhook id. */
	private hasOwnSecret(url: string): boolean {
		const token = tokenOf(url);
		if (!token || this.copies.has(addressOf(url))) return false;
		const isOfEarlierKey = () =>
			token.until === undefined && isKnown(this.context, digestOf(token.secret));
		return token.secret === this.secretOf(token.until) || isOfEarlierKey();
	}

	/** The service has this registration, or what has displaced it since and will give it back. */
	private isKept(kept: Webhook, url: string, ownUrl: string): boolean {
		const [, ...beneath] = unfold(kept, this.keys) ?? [];
		return kept.url === url || beneath.some((each) => each.url === ownUrl);
	}

	private unfold(webhook: Webhook): Pile {
		const pile = unfold(webhook, this.keys);
		if (!this.isOwn(webhook.url)) return pile ?? [webhook]; // a seal of another n8n stays closed
		if (pile && tokenOf(webhook.url)) return this.keep(pile);
		// It was sealed by somebody else, or somebody has dropped the query.
		const beneath = lastBeneath.get(this.memoryOf(webhook.url));
		if (!pile && !beneath) this.context.logger.warn(sealedByAnother);
		return [withoutSeal(webhook), ...(beneath ?? [])];
	}

	private keep(pile: Pile): Pile {
		if (pile[0]) lastBeneath.set(this.memoryOf(pile[0].url), pile.slice(1));
		return pile;
	}

	private memoryOf(url: string): string {
		return this.origin + addressOf(url);
	}

	/**
	 * An n8n whose database was copied, and one that has moved, find their own URL at another host.
	 * Who answers there shows which of the two it is.
	 */
	private async findCopies(pile: Pile): Promise<void> {
		for (const { url } of pile) {
			if (!this.hasOwnSecret(url) || this.isAtThisHost(url) || !this.mayAsk(url)) continue;
			const answer = await ask(this.context, url, this.address);
			const isCopy = this.purpose === 'look' ? answer !== 'self' : answer === 'somebody';
			if (isCopy) this.copies.add(addressOf(url));
		}
	}

	/** A test of this n8n, in which nobody listens: the process that did so is gone. */
	private async isAbandoned(webhook: Webhook): Promise<boolean> {
		const isRunning = tokenOf(webhook.url)?.until !== undefined && !isOver(webhook);
		if (!isRunning || this.purpose === 'end' || !this.isAtThisHost(webhook.url)) return false;
		const answer = await ask(this.context, webhook.url, this.address);
		return answer === 'nobody' || (answer === 'silence' && this.purpose === 'start');
	}

	/**
	 * Who has seen the secret can make up a URL with it. So nothing is asked but this node's path, and
	 * nothing in a private network for a service that is not in one.
	 */
	private mayAsk(url: string): boolean {
		const tailOf = (each: string) => new URL(each).pathname.split('/').slice(-2).join('/');
		return isReachable(url, this.origin) && tailOf(url) === tailOf(this.address);
	}

	private isAtThisHost(url: string): boolean {
		return new URL(url).origin === new URL(this.address).origin;
	}
}
