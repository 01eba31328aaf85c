import { sleep, type IHookFunctions, type ITriggerFunctions } from 'n8n-workflow';

import { formatToken, tokenOf, tokenParameter } from '../../shared/webhookUrl';
import { boundedMap } from '../secret/cache';
import { identityOf, secretFor } from '../secret/derive';
import { seal, sealingKey, unseal } from '../secret/seal';
import { openAccount, type Webhook } from './account';
import { holderOf, isOver } from './holder';
import { notKeptError, tooLongError } from './texts';
import { addressOf } from './url';

/** What a URL may have, in characters: more is cut off by too many servers and databases. */
const maxUrlLength = 2_000;

/** In ms: a service may take a moment to tell what it was told. */
const readAgainAfter = [500, 2_000];

const lostWithKey =
	'What the webhook of the account was used for before cannot be given back: the API key that sealed it has changed';

/** What lay beneath a registration when it was last seen, for when nothing at the service tells. */
export const lastBeneath = boundedMap<Webhook[]>(1_000);

/**
 * The account's webhook as triggers see it: a pile of settings, the one in force first, and beneath
 * it what it has displaced. The pile travels in the registered URL, sealed. So whatever becomes of
 * the process that displaced something, any trigger of the account and this n8n can give it back.
 *
 * @param webhookUrl n8n's URL of this node's webhook
 */
export async function openWebhook(context: IHookFunctions | ITriggerFunctions, webhookUrl: string) {
	const address = addressOf(webhookUrl);
	const account = await openAccount(context);
	const identity = identityOf(context);
	const { webhookId } = context.getNode();
	const key = sealingKey(account.apiKey, context.getInstanceId());
	const secret = (until?: number) => secretFor(account.apiKey, identity, until);
	const ownUrl = (until?: number) =>
		withToken(address, formatToken({ until, secret: secret(until) }));

	/** Known also after a move to another host, but not with another API key. */
	const hasOwnSecret = (url: string): boolean => {
		const token = tokenOf(url);
		return token !== undefined && token.secret === secret(token.until);
	};
	const isOwn = (url: string): boolean =>
		addressOf(url) === address || isBelow(url, address, webhookId) || hasOwnSecret(url);
	const isThis = (url: string): boolean =>
		addressOf(url) === address || (hasOwnSecret(url) && isSamePath(url, address));

	function unfold(webhook: Webhook): Webhook[] {
		const token = tokenOf(webhook.url);
		if (!token?.sealed) return [webhook];
		const { sealed, ...bare } = token;
		const top = { ...webhook, url: withToken(webhook.url, formatToken(bare)) };
		const text = unseal(sealed, key, formatToken(bare));
		if (text !== undefined) return [top, ...keep(top, decode(text))];
		if (!isOwn(webhook.url)) return [webhook]; // another n8n's
		const remembered = known(top); // The API key has changed.
		if (!remembered) context.logger.warn(lostWithKey);
		return [top, ...(remembered ?? [])];
	}

	function fold([top, ...beneath]: Webhook[]): Webhook {
		if (!top) return { url: withToken(address, 'off'), enabled: false };
		const token = tokenOf(top.url);
		if (!token || token.sealed) return top;
		keep(top, beneath);
		if (beneath.length === 0) return top;
		const sealed = seal(encode(beneath), key, formatToken(token));
		const url = withToken(top.url, formatToken({ ...token, sealed }));
		if (url.length > maxUrlLength) throw tooLongError(context.getNode(), maxUrlLength);
		return { ...top, url };
	}

	const known = ({ url }: Webhook) => lastBeneath.get(account.origin + addressOf(url));
	const keep = ({ url }: Webhook, beneath: Webhook[]) => {
		lastBeneath.set(account.origin + addressOf(url), beneath);
		return beneath;
	};

	async function write(pile: Webhook[]): Promise<Webhook> {
		const webhook = fold(pile);
		await account.write(webhook);
		return webhook;
	}

	return {
		origin: account.origin,
		secret: secret(),
		/** Whether a URL leads to this node: to its production or its test. */
		isOwn,
		/** Whether a URL leads to this node, to the same of the two. */
		isThis,
		holder: ([top]: Webhook[]) => holderOf(top, ownUrl(), isOwn),
		/** What lay beneath this node's registration when this process last saw it. */
		lastBeneath: () => known({ url: address, enabled: true }) ?? [],

		/** What a registration displaces: never a test, in which nobody would be listening any more. */
		beneath: (pile: Webhook[]): Webhook[] =>
			pile.filter((webhook) => !isTest(webhook) && !isThis(webhook.url)),

		/** The pile. What a test that is over has left there, is given back first. */
		async read(): Promise<Webhook[]> {
			const { url, enabled } = await account.read();
			if (url === null || isOff(url)) return [];
			const pile = unfold({ url, enabled });
			if (!enabled) return pile;
			const rest = pile.filter((webhook) => !isTest(webhook) || !isOver(webhook));
			if (rest.length > 0 && rest[0] !== pile[0]) await write(rest);
			return rest;
		},

		write,

		/**
		 * Registers this node's URL, and looks whether the service has it.
		 *
		 * @param before what stands there, given back where the service does not keep the URL
		 */
		async register(beneath: Webhook[], before: Webhook[], until?: number): Promise<void> {
			const { url } = await write([{ url: ownUrl(until), enabled: true }, ...beneath]);
			let kept = await account.read();
			for (const wait of readAgainAfter) {
				if (kept.url === url && kept.enabled) return;
				await sleep(wait);
				kept = await account.read();
			}
			if (kept.url === url && kept.enabled) return;
			// What stands there is what became of our URL, and not what somebody else has set meanwhile.
			const isLeft = kept.url === null || isOwn(kept.url) || url.startsWith(kept.url);
			if (isLeft) await write(before);
			throw notKeptError(context.getNode(), url, kept);
		},
	};
}

export type AccountWebhook = Awaited<ReturnType<typeof openWebhook>>;

function withToken(url: string, token: string): string {
	const changed = new URL(url);
	changed.searchParams.set(tokenParameter, token);
	return changed.href;
}

/** Not one that seals what nobody here can open: that is for its own n8n to give back. */
function isTest({ url }: Webhook): boolean {
	const token = tokenOf(url);
	return token?.until !== undefined && !token.sealed;
}

/** Left behind by a node that gave nothing back. */
const isOff = (url: string): boolean =>
	URL.canParse(url) && new URL(url).searchParams.get(tokenParameter) === 'off';

/** n8n puts a node's webhook id into its URLs, of production and of tests. */
function isBelow(url: string, address: string, webhookId: string | undefined): boolean {
	if (!webhookId || !URL.canParse(url)) return false;
	const { origin, pathname } = new URL(url);
	return origin === new URL(address).origin && pathname.split('/').includes(webhookId);
}

const isSamePath = (url: string, address: string): boolean =>
	new URL(url).pathname === new URL(address).pathname;

/** As short as can be: `+` for what is on, `-` for what is off. */
const encode = (pile: Webhook[]): string =>
	JSON.stringify(pile.map(({ url, enabled }) => (enabled ? '+' : '-') + url));

const decode = (text: string): Webhook[] =>
	(JSON.parse(text) as string[]).map((entry) => ({
		url: entry.slice(1),
		enabled: entry.startsWith('+'),
	}));
