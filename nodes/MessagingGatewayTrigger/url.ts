import type { Webhook } from '../gateway/endpoints/webhook';
import { formatToken, tokenParameter, type Token } from '../gateway/triggerToken';

/** A URL without its query, and so without its secret. */
export function addressOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** Adds a token to an address, or the mark that nothing is registered. */
export function withToken(address: string, token: Token | 'off'): string {
	const url = new URL(address);
	url.searchParams.set(tokenParameter, token === 'off' ? token : formatToken(token));
	return url.href;
}

/** Whether a node that had nothing to give back has left this behind. */
export const isOff = ({ url }: Webhook): boolean =>
	URL.canParse(url) && new URL(url).searchParams.get(tokenParameter) === 'off';

/** The part of a URL that people may see. */
export function hostOf(url: string): string {
	return (URL.canParse(url) && new URL(url).host) || 'something that is not a web address';
}
