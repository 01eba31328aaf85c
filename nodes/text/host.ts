import { ipaddr } from './bundled';

const { IPv4, IPv6 } = ipaddr;

export type Address = ReturnType<typeof ipaddr.process>;

/** The longest address in characters, with zone, port or range: the libraries take long for others. */
export const maxAddressLength = 100;

/**
 * Parses `192.0.2.7` or `2001:db8::7`, but no shortened or octal IPv4 addresses. `::ffff:192.0.2.7`
 * is the IPv4 address; a zone (`fe80::1%eth0`) is ignored.
 */
export function parseAddress(text: string): Address | undefined {
	if (text.length > maxAddressLength) return undefined;
	return IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

/** Whether a service can open an address: one on the internet reaches no private network, and n8n by https only. */
export const isReachable = (
	{ hostname, protocol = 'https:' }: { hostname: string; protocol?: string },
	serviceUrl: string,
): boolean =>
	!isPublicHost(new URL(serviceUrl).hostname) || (protocol === 'https:' && isPublicHost(hostname));

/** Whether a host is public by its form alone: no name is looked up. @param hostname as in `URL` */
export function isPublicHost(hostname: string): boolean {
	const address = parseAddress(hostname.replace(/^\[|\]$/g, ''));
	if (address) return address.range() === 'unicast';
	return /\../.test(hostname) && !privateNames.test(hostname);
}

/** Matches names in networks at home and at work, of containers and of clusters (`crm.shop.svc`). */
const privateNames =
	/\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|svc|test|home\.arpa)\.?$/;

/** Reads `//` in a path as `/`: N8N_WEBHOOK_URL may end with both, and n8n answers at one of them only. */
export const singleSlashes = (pathname: string): string => pathname.replace(/\/{2,}/g, '/');

/** Returns a URL without its query, and so without its secret. */
export function addressOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + singleSlashes(pathname);
}

/** Returns the part of a URL that people may see. */
export const hostOf = (url: string): string =>
	(URL.canParse(url) && new URL(url).host) || 'something that is not a web address';
