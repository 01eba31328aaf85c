import { contains, parseAddress, parseRange } from './ipAddress';

/** Whether a service can open an address of n8n: from the internet only https on public hosts. */
export function isReachable(url: string, serviceUrl: string): boolean {
	const { protocol, hostname } = new URL(url);
	return (
		!isPublicHost(new URL(serviceUrl).hostname) || (protocol === 'https:' && isPublicHost(hostname))
	);
}

/**
 * Whether a service can open an address at this host: one on the internet reaches no private network.
 *
 * @param hostname as in `URL`
 */
export const reachesHost = (serviceUrl: string, hostname: string): boolean =>
	!isPublicHost(new URL(serviceUrl).hostname) || isPublicHost(hostname);

export const howToBeReachable =
	'Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to the public https address of n8n, then restart n8n';

/**
 * By its form alone: no name is looked up, so a public name of a private address counts as public.
 *
 * @param hostname as in `URL`
 */
export function isPublicHost(hostname: string): boolean {
	const address = parseAddress(hostname.replace(/^\[|\]$/g, ''));
	if (address) return !privateRanges.some((range) => contains(range, address));
	return /\../.test(hostname) && !privateNames.test(hostname);
}

/** Of networks at home and at work, of containers and of clusters (`crm.shop.svc`). */
const privateNames =
	/\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|svc|test|home\.arpa)\.?$/;

const privateRanges = [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10', // carrier-grade NAT
	'127.0.0.0/8',
	'169.254.0.0/16', // link-local
	'172.16.0.0/12',
	'192.0.0.0/24', // between networks of a provider
	'192.168.0.0/16',
	'198.18.0.0/15', // for tests of networks
	'::/127', // unspecified and loopback
	'fc00::/7', // unique local
	'fe80::/10', // link-local
	'64:ff9b::/96', // any IPv4 address, behind NAT64
].map((range) => parseRange(range)!);
