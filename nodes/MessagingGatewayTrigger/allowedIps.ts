import { inProcess } from '../n8n/processState';
import { entryOf } from '../text/collections';
import {
	parseRange,
	parseAddress,
	rangeContains,
	maxAddressLength,
	type Range,
} from '../text/host';
import { toText } from '../text/text';

/** More entries, or a longer list, is a mistake. */
const [maxEntries, maxListLength] = [500, 50_000];

interface Ranges {
	ranges: Range[];
	/** The first entry that is neither an address nor a range; empty where there are too many. */
	invalid?: string;
}

/** Lists that were parsed, by their text. */
const rangesByText = inProcess.map<Ranges>(100);

/** Parses a list of addresses and CIDR ranges, separated by commas or spaces. */
export function parseRanges(list: unknown): Ranges {
	const text = toText(list ?? '');
	if (text.length > maxListLength) return { ranges: [], invalid: '' };
	return entryOf(rangesByText, text, () => {
		const ranges: Range[] = [];
		let invalid: string | undefined;
		for (const entry of text.split(/[\s,;]+/).filter(Boolean)) {
			const isFull = ranges.length === maxEntries;
			const range = isFull ? undefined : parseRange(entry);
			if (range) ranges.push(range);
			else invalid ??= isFull ? '' : entry;
		}
		return { ranges, invalid };
	});
}

/** Whether an address is in a list. Invalid entries and empty lists allow nobody. */
export function isAllowed(list: unknown, ip: string | undefined): boolean {
	const address = parseAddress(bareAddress(ip ?? ''));
	if (!address) return false;
	return parseRanges(list).ranges.some((range) => rangeContains(range, address));
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
