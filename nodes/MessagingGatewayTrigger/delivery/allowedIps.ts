import { contains, parseAddress, parseRange } from '../ipAddress';

/**
 * Whether an address is in a list of addresses and CIDR ranges, separated by commas or spaces. An
 * empty list allows all; an entry that cannot be read allows nobody.
 */
export function isAllowed(list: unknown, ip: string | undefined): boolean {
	const entries = entriesOf(list);
	if (entries.length === 0) return true;
	const address = parseAddress(bareAddress(ip ?? ''));
	return entries.some((entry) => {
		const range = parseRange(entry);
		return range && address && contains(range, address);
	});
}

/** Some proxies add the port of the client (`203.0.113.7:51234`, `[2001:db8::1]:443`), systems a zone. */
const bareAddress = (ip: string): string =>
	ip
		.replace(/^\[(.*)\](:\d+)?$/, '$1')
		.replace(/^([\d.]+):\d+$/, '$1')
		.replace(/%.+$/, '');

/** The first entry that is neither an address nor a range. */
export function findInvalidEntry(list: unknown): string | undefined {
	return entriesOf(list).find((entry) => !parseRange(entry));
}

/** An expression may give a list, or nothing. */
const entriesOf = (list: unknown): string[] =>
	String(list ?? '')
		.split(/[\s,;]+/)
		.filter((entry) => entry !== '');
