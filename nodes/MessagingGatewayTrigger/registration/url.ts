import { singleSlashes } from '../../gateway/addresses';
import { formatToken, tokenParameter, type Token } from '../../gateway/triggerToken';

/** Returns a URL without its query, and so without its secret. */
export function addressOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + singleSlashes(pathname);
}

/** Returns the part of a URL that people may see. */
export function hostOf(url: string): string {
	return (URL.canParse(url) && new URL(url).host) || 'something that is not a web address';
}

/** Adds a token to an address, or the mark that nothing is registered. */
export const withToken = (address: string, token: Token | 'off'): string =>
	`${address}?${tokenParameter}=${token === 'off' ? token : formatToken(token)}`;

/** Whether a trigger has registered a URL, or switched it off. */
export const hasToken = (url: string): boolean =>
	URL.canParse(url) && new URL(url).searchParams.has(tokenParameter);
