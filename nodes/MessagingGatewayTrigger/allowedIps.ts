import { contains, parseAddress, parseRange } from '../gateway/addresses';
import { toText } from '../text/toText';

/**
 * Whether an address is in a list of addresses and CIDR ranges, separated by commas or spaces. Invalid
 * entries and empty lists allow nobody.
 */
export function isAllowed(list: unknown, ip: string | undefined): boolean {
	const address = parseAddress(bareAddress(ip ?? ''));
	return entriesOf(list).some((entry) => {
		const range = parseRange(entry);
		return range && address && contains(range, address);
	});
}

/** Whether a field allows everybody. @param entered its value before n8n evaluates expressions */
export const isEmpty = (entered: unknown): boolean => entriesOf(entered).length === 0;

/** Without a port (`203.0.113.7:51234`, `[2001:db8::1]:443`) or a zone, which some proxies add. */
const bareAddress = (ip: string): string =>
	ip
		.replace(/^\[(.*)\](:\d+)?$/, '$1')
		.replace(/^([\d.]+):\d+$/, '$1')
		.replace(/%.+$/, '');

/** The first entry that is neither an address nor a range. */
export function findInvalidEntry(list: unknown): string | undefined {
	return entriesOf(list).find((entry) => !parseRange(entry));
}

/** An expression may return a list, or nothing. */
const entriesOf = (list: unknown): string[] =>
	toText(list ?? '')
		.split(/[\s,;]+/)
		.filter((entry) => entry !== '');
