import { ipaddr } from './bundled';
import { maxAddressLength, parseAddress, type Address } from './host';
import { toText } from './values';

/** Parses an address, or a range in CIDR notation (`192.0.2.0/24`): all that share so many first bits with one. */
function parseRange(text: string): [Address, number] | undefined {
	const address = parseAddress(text);
	if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
	if (text.length > maxAddressLength) return undefined;
	const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
	return isRange ? ipaddr.parseCIDR(text) : undefined;
}

const entriesOf = (list: unknown): string[] =>
	toText(list ?? '')
		.split(/[\s,;]+/)
		.filter(Boolean);

/** Finds an entry that is neither an address nor a range. @param list text with commas or spaces */
export const findInvalidRange = (list: unknown): string | undefined =>
	entriesOf(list).find((entry) => !parseRange(entry));

/** Whether an address is in a list. Invalid entries and empty lists allow nobody. */
export function isAllowed(list: unknown, ip: string): boolean {
	const address = parseAddress(bareAddress(ip));
	const allowed = entriesOf(list)
		.map(parseRange)
		.filter((range) => range !== undefined);
	return address !== undefined && ipaddr.subnetMatch(address, { allowed }) === 'allowed';
}

/** Whether a field allows everybody. @param entered its value before n8n evaluates expressions */
export const allowsEverybody = (entered: unknown): boolean => entriesOf(entered).length === 0;

/** Removes a port (`203.0.113.7:51234`, `[2001:db8::1]:443`) or a zone, which some proxies add. */
const bareAddress = (ip: string): string =>
	ip
		.slice(0, maxAddressLength)
		.replace(/^\[(.*)\](:\d+)?$/, '$1')
		.replace(/^([\d.]+):\d+$/, '$1')
		.replace(/%.+$/, '');
