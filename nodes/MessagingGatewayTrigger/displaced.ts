import {
	formatToken,
	tokenOf,
	tokenParameter,
	type Token,
	type Webhook,
} from '../gateway/triggerToken';
import { seal, unseal, type SealingKeys } from './secret/seal';

/**
 * The account's webhook as triggers see it: the setting in force first, and beneath it those that it
 * has displaced. They travel in the registered URL, sealed. So whatever becomes of the process that
 * displaced something, any trigger of the account and this n8n can give it back.
 */
export type Pile = Webhook[];

/** The pile as the one setting that stands at the service. */
export function fold([top, ...beneath]: [Webhook, ...Pile], keys: SealingKeys): Webhook {
	const token = tokenOf(top.url);
	if (!token || token.sealed || beneath.length === 0) return top;
	// As short as can be: `+` for what is on, `-` for what is off.
	const text = JSON.stringify(beneath.map(({ url, enabled }) => (enabled ? '+' : '-') + url));
	const sealed = seal(text, keys, formatToken(token));
	return { ...top, url: withToken(top.url, { ...token, sealed }) };
}

/** The pile in a setting; undefined where something is sealed that does not open. */
export function unfold(webhook: Webhook, keys: SealingKeys): Pile | undefined {
	const { sealed, ...token } = tokenOf(webhook.url) ?? {};
	if (!sealed) return [webhook];
	const text = unseal(sealed, keys, formatToken(token as Token));
	if (text === undefined) return undefined;
	const beneath = (JSON.parse(text) as string[]).map((entry) => ({
		url: entry.slice(1),
		enabled: entry.startsWith('+'),
	}));
	return [withoutSeal(webhook), ...beneath];
}

export function withoutSeal(webhook: Webhook): Webhook {
	const token = tokenOf(webhook.url);
	return token?.sealed
		? { ...webhook, url: withToken(webhook.url, { ...token, sealed: undefined }) }
		: webhook;
}

/** Where an address leads to with a token, or with what says that nothing is registered. */
export function withToken(address: string, token: Token | 'off'): string {
	const url = new URL(address);
	url.searchParams.set(tokenParameter, token === 'off' ? token : formatToken(token));
	return url.href;
}

/** Left behind by a node that had nothing to give back. */
export const isOff = ({ url }: Webhook): boolean =>
	URL.canParse(url) && new URL(url).searchParams.get(tokenParameter) === 'off';
