import { ipaddr } from './bundled';
import { maxAddressLength, parseAddress, type Address } from './host';
import { toText } from './text';

/** Parses an address, or a range in CIDR notation (`192.0.2.0/24`): all that share so many first bits with one. */
function parseRange(text: string): [Address, number] | undefined {
	const address = parseAddress(text);
	if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
	if (text.length > maxAddressLength) return undefined;
	const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
	return isRange ? ipaddr.parseCIDR(text) : undefined;
}

/** More entries are a mistake. */
const maxEntries = 500;

export interface Ranges {
	ranges: Array<[Address, number]>;
	/** The first entry that is neither an address nor a range; empty where there are too many. */
	invalid?: string;
}

/** Parses a list of addresses and CIDR ranges, separated by commas or spaces. */
export function parseRanges(list: unknown): Ranges {
	const parts = toText(list ?? '').split(/[\s,;]+/, maxEntries + 2); // the first may be empty
	const entries = parts.filter(Boolean);
	const ranges = entries.map(parseRange);
	const invalid = entries.find((_, at) => !ranges[at]);
	return {
		ranges: ranges.filter((range) => range !== undefined),
		invalid: invalid ?? (entries.length > maxEntries ? '' : undefined),
	};
}

/** Whether an address is in a list. Invalid entries and empty lists allow nobody. */
export function isAllowed({ ranges }: Ranges, ip: string): boolean {
	const address = parseAddress(bareAddress(ip));
	return address !== undefined && ipaddr.subnetMatch(address, { allowed: ranges }) === 'allowed';
}

/** Whether a field allows everybody. @param entered its value before n8n evaluates expressions */
export const allowsEverybody = (entered: unknown): boolean =>
	!/[^\s,;]/.test(toText(entered ?? ''));

/** Removes a port (`203.0.113.7:51234`, `[2001:db8::1]:443`) or a zone, which some proxies add. */
const bareAddress = (ip: string): string =>
	ip
		.slice(0, maxAddressLength)
		.replace(/^\[(.*)\](:\d+)?$/, '$1')
		.replace(/^([\d.]+):\d+$/, '$1')
		.replace(/%.+$/, '');
