import { singleSlashes } from '../../n8n/ownAddress';

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
