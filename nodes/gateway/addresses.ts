import { ipaddr } from '../text/bundled';
import { toText } from '../text/text';
import { entryOf, inProcess } from './maps';
import type { Owner } from './node';

const { IPv4, IPv6 } = ipaddr;

type Address = ReturnType<typeof ipaddr.process>;

/** The longest address in characters, with zone, port or range: the libraries take long for others. */
const maxAddressLength = 100;

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

const setting = 'N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40)';

export const publicAddressHint = `Set the environment variable ${setting} to the public https address of n8n, then restart n8n`;

/** Reads `//` in a path as `/`: N8N_WEBHOOK_URL may end with both, and n8n answers at one of them only. */
export const singleSlashes = (pathname: string): string => pathname.replace(/\/{2,}/g, '/');

/**
 * Reads an address that n8n has made of N8N_WEBHOOK_URL and three names: of a webhook, of a file, of an
 * execution that waits.
 *
 * @param instanceUrl n8n's own address: N8N_EDITOR_BASE_URL, without which n8n takes N8N_WEBHOOK_URL
 * @throws what the owner makes of a setting with which the address would not lead to n8n
 */
export function readOwnAddress(address: string, instanceUrl: string, owner: Owner<Error>): URL {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url?.protocol.startsWith('http'))
		throw owner.invalid(
			'The address of this n8n does not begin with https:// or http://',
			`Set the environment variable ${setting} to its full address, e.g. https://n8n.example.com, then restart n8n.`,
		);
	url.pathname = singleSlashes(url.pathname);
	const path = url.pathname.split('/').slice(0, -3).join('/');
	// At the same host, n8n's own address may be nothing but N8N_WEBHOOK_URL again.
	const instance = new URL(instanceUrl, url);
	const isOwn = instance.origin !== url.origin && instance.pathname.replace(/\/$/, '') === path;
	if (path.endsWith('/webhook') && !isOwn)
		throw owner.invalid(
			`The address of this n8n ends with /webhook, which n8n adds itself: ${url.origin}${path}`,
			`Set the environment variable ${setting} to the address without it, then restart n8n. If n8n itself is below ${path}, move it to another path, e.g. /n8n.`,
		);
	return url;
}

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

/** Matches hosts, some with a path, whose links open a page that shows a file, or asks to sign in. */
const sharingPages =
	/^((www\.)?(github\.com|gitlab\.com|huggingface\.co)\/.+\/blob|[\w.-]+\.wiki[mp]edia\.org\/wiki|(drive|docs|photos)\.google\.com|photos\.app\.goo\.gl|(www\.)?dropbox\.com|onedrive\.live\.com|1drv\.ms|[\w-]+\.sharepoint\.com|(www|share)\.icloud\.com|(www\.)?wetransfer\.com|we\.tl|[\w-]+\.box\.com|(www\.)?mediafire\.com|mega\.nz)\//;

/** Matches the paths and queries with which these hosts give the file itself. */
const directFileLink =
	/^\/uc\?|\/(export|download)([/?]|$)|\/shared\/static\/|[?&](dl|raw|download)=(1|true)(&|$)/;

/** Whether a web address is a link for sharing a file, as people copy it, and not the file itself. */
export function isSharingPage(address: string): boolean {
	const { hostname, pathname, search } = new URL(address);
	return sharingPages.test(hostname + pathname) && !directFileLink.test(pathname + search);
}

/** More entries, or a longer list, is a mistake. */
const [maxEntries, maxListLength] = [500, 50_000];

interface Ranges {
	ranges: Range[];
	/** The first entry that is neither an address nor a range, or is one too many. */
	invalid?: string;
}

/** Lists that were parsed, by their text. */
const rangesByText = inProcess.map<Ranges>(100);

/** Parses a list of addresses and CIDR ranges, separated by commas or spaces. */
export function parseRanges(list: unknown): Ranges {
	const text = toText(list ?? '');
	if (text.length > maxListLength) return { ranges: [], invalid: text };
	return entryOf(rangesByText, text, () => {
		const ranges: Range[] = [];
		let invalid: string | undefined;
		for (const entry of text.split(/[\s,;]+/).filter(Boolean)) {
			const range = ranges.length < maxEntries ? parseRange(entry) : undefined;
			if (range) ranges.push(range);
			else invalid ??= entry;
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
