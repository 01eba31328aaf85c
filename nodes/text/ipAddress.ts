import { ipaddr } from './bundled/ipaddr';

const { IPv4, IPv6 } = ipaddr;

type Address = ReturnType<typeof ipaddr.process>;

/** All addresses that share so many first bits with an address. */
export type Range = [Address, number];

/**
 * Parses `192.0.2.7` or `2001:db8::7`, but no shortened or octal IPv4 addresses. `::ffff:192.0.2.7`
 * is the IPv4 address; a zone (`fe80::1%eth0`) is ignored.
 */
export const parseAddress = (text: string): Address | undefined =>
	IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text) ? ipaddr.process(text) : undefined;

/** Parses an address or a range in CIDR notation (`192.0.2.0/24`). */
export function parseRange(text: string): Range | undefined {
	const address = parseAddress(text);
	if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
	if (!IPv4.isValidCIDRFourPartDecimal(text) && !IPv6.isValidCIDR(text)) return undefined;
	const [base, prefix] = ipaddr.parseCIDR(text);
	const isMapped = base instanceof IPv6 && base.isIPv4MappedAddress() && prefix >= 96;
	return isMapped ? [base.toIPv4Address(), prefix - 96] : [base, prefix];
}

export const contains = (range: Range, address: Address): boolean =>
	range[0].kind() === address.kind() && address.match(range);
