import { sleep, type IHookFunctions, type ITriggerFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/boundedMap';
import { tokenOf, type Webhook } from '../../shared/webhookUrl';
import { addressOf } from '../address/url';
import { notKeptError, tooLongError } from '../errors';
import { identityOf, secretFor } from '../secret/derive';
import { fold, isOff, unfold, withoutSeal, withToken, type Pile } from '../secret/pile';
import { sealingKey } from '../secret/seal';
import { openAccount } from './account';
import { holderOf, isOver, isTest } from './holder';

/** What a URL may have, in characters: more is cut off by too many servers and databases. */
const maxUrlLength = 2_000;

/** In ms: a service may take a moment to tell what it was told. */
const readAgainAfter = [500, 2_000];

/** What lay beneath a registration when this process last saw it: for when nothing else tells. */
export const lastBeneath = new BoundedMap<Pile>(1_000);

const lostWithKey =
	'What was displaced cannot be given back: the API key that sealed it has changed';

/** The account's webhook for one node. @param webhookUrl n8n's URL of the node's webhook */
export async function openWebhook(context: IHookFunctions | ITriggerFunctions, webhookUrl: string) {
	const address = addressOf(webhookUrl);
	const account = await openAccount(context);
	const identity = identityOf(context);
	const { webhookId = '' } = context.getNode();
	const key = sealingKey(account.apiKey, context.getInstanceId());
	const secret = (until?: number) => secretFor(account.apiKey, identity, until);
	const ownUrl = (until?: number) => withToken(address, { until, secret: secret(until) });
	const memoryOf = (url: string) => account.origin + addressOf(url);

	/** Holds also after a move to another host, but not with another API key. */
	const hasOwnSecret = (url: string): boolean => {
		const token = tokenOf(url);
		return token !== undefined && token.secret === secret(token.until);
	};
	/** Whether a URL leads to this node: to its production or its test. */
	const isOwn = (url: string): boolean =>
		addressOf(url) === address || hasOwnSecret(url) || isBelow(url, address, webhookId);
	/** Whether a URL leads to the one of the two that this is about. */
	const isThis = (url: string): boolean =>
		addressOf(url) === address ||
		(hasOwnSecret(url) && new URL(url).pathname === new URL(address).pathname);

	function open(webhook: Webhook): Pile {
		const pile = unfold(webhook, key);
		if (!isOwn(webhook.url)) return pile ?? [webhook]; // a seal of another n8n stays closed
		if (pile && tokenOf(webhook.url)) return keep(pile);
		// The API key has changed, or somebody has dropped the query.
		const beneath = lastBeneath.get(memoryOf(webhook.url));
		if (!pile && !beneath) context.logger.warn(lostWithKey);
		return [withoutSeal(webhook), ...(beneath ?? [])];
	}

	function keep(pile: Pile): Pile {
		if (pile[0]) lastBeneath.set(memoryOf(pile[0].url), pile.slice(1));
		return pile;
	}

	async function write(pile: Pile): Promise<Webhook> {
		const [top, ...beneath] = keep(pile);
		const webhook = top
			? fold([top, ...beneath], key)
			: { url: withToken(address, 'off'), enabled: false };
		const isTooLong = webhook.url !== top?.url && webhook.url.length > maxUrlLength;
		if (isTooLong) throw tooLongError(context.getNode(), maxUrlLength);
		await account.write(webhook);
		return webhook;
	}

	return {
		origin: account.origin,
		secret: secret(),
		isOwn,
		isThis,
		write,
		holder: ([top]: Pile) => holderOf(top, ownUrl(), isOwn),
		lastBeneath: () => lastBeneath.get(memoryOf(address)) ?? [],

		/** What a registration displaces: never a test, in which nobody would be listening any more. */
		beneath: (pile: Pile): Pile =>
			pile.filter((webhook) => !isTest(webhook) && !isThis(webhook.url)),

		/** What a test that is over has left there, is given back first. */
		async read(): Promise<Pile> {
			const webhook = await account.read();
			if (!webhook || isOff(webhook)) return [];
			const pile = open(webhook);
			if (!webhook.enabled) return pile;
			const rest = pile.filter((each) => !isTest(each) || !isOver(each));
			if (rest.length > 0 && rest[0] !== pile[0]) await write(rest);
			return rest;
		},

		/**
		 * Registers this node's URL, and looks whether the service has it.
		 *
		 * @param before what stands there, given back where the service does not keep the URL
		 */
		async register(beneath: Pile, before: Pile, until?: number): Promise<void> {
			const { url } = await write([{ url: ownUrl(until), enabled: true }, ...beneath]);
			let kept: Webhook | undefined;
			for (const wait of [0, ...readAgainAfter]) {
				if (wait > 0) await sleep(wait);
				kept = await account.read();
				if (kept?.url === url && kept.enabled) return;
			}
			// What stands there is what became of our URL, and not what somebody else has set meanwhile.
			if (!kept || isOwn(kept.url) || url.startsWith(kept.url)) await write(before);
			throw notKeptError(context.getNode(), url, kept);
		},
	};
}

export type AccountWebhook = Awaited<ReturnType<typeof openWebhook>>;

/** n8n puts a node's webhook id into its URLs, of production and of tests. */
function isBelow(url: string, address: string, webhookId: string): boolean {
	if (!webhookId || !URL.canParse(url)) return false;
	const { origin, pathname } = new URL(url);
	return origin === new URL(address).origin && pathname.split('/').includes(webhookId);
}
