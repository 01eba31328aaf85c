import { ipaddr } from './bundled';

const { IPv4, IPv6 } = ipaddr;

type Address = ReturnType<typeof ipaddr.process>;

/** The longest address in characters, with zone, port or range: the libraries take long for others. */
export const maxAddressLength = 100;

/** All addresses that share so many first bits with an address. */
export type Range = [Address, number];

/**
 * Parses `192.0.2.7` or `2001:db8::7`, but no shortened or octal IPv4 addresses. `::ffff:192.0.2.7`
 * is the IPv4 address; a zone (`fe80::1%eth0`) is ignored.
 */
export function parseAddress(text: string): Address | undefined {
	if (text.length > maxAddressLength) return undefined;
	return IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

/** Parses an address or a range in CIDR notation (`192.0.2.0/24`). */
export function parseRange(text: string): Range | undefined {
	const address = parseAddress(text);
	if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
	if (text.length > maxAddressLength) return undefined;
	const isRange = IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text);
	return isRange ? ipaddr.parseCIDR(text) : undefined;
}

export const rangeContains = (range: Range, address: Address): boolean =>
	range[0].kind() === address.kind() && address.match(range);

/**
 * Whether a service can open an address: one on the internet reaches no private network, and opens those
 * of n8n by https only.
 *
 * @param protocol the scheme of an address of n8n
 */
export const isReachable = (
	{ hostname, protocol = 'https:' }: { hostname: string; protocol?: string },
	serviceUrl: string,
): boolean =>
	!isPublicHost(new URL(serviceUrl).hostname) || (protocol === 'https:' && isPublicHost(hostname));

/**
 * Whether a host is public by its form alone: no name is looked up, so a public name of a private address
 * counts as public.
 *
 * @param hostname as in `URL`
 */
export function isPublicHost(hostname: string): boolean {
	const address = parseAddress(hostname.replace(/^\[|\]$/g, ''));
	if (address) return address.range() === 'unicast';
	return /\../.test(hostname) && !privateNames.test(hostname);
}

/** Matches names in networks at home and at work, of containers and of clusters (`crm.shop.svc`). */
const privateNames =
	/\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|svc|test|home\.arpa)\.?$/;
