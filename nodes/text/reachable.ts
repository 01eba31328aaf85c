import { contains, parseAddress, parseRange } from './ipAddress';

/** Whether a service can open an address of n8n: from the internet only https on public hosts. */
export function isReachable(url: string, serviceUrl: string): boolean {
	const { protocol, hostname } = new URL(url);
	return (
		!isPublicHost(new URL(serviceUrl).hostname) || (protocol === 'https:' && isPublicHost(hostname))
	);
}

export const howToBeReachable =
	'Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to the public https address of n8n, then restart n8n';

/** @param hostname as in `URL` */
export function isPublicHost(hostname: string): boolean {
	const address = parseAddress(hostname.replace(/^\[|\]$/g, ''));
	if (address) return !privateRanges.some((range) => contains(range, address));
	return /\../.test(hostname) && !/\.(localhost|local|internal|lan|home\.arpa)\.?$/.test(hostname);
}

const privateRanges = [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10', // carrier-grade NAT
	'127.0.0.0/8',
	'169.254.0.0/16', // link-local
	'172.16.0.0/12',
	'192.168.0.0/16',
	'::/127', // unspecified and loopback
	'fc00::/7', // unique local
	'fe80::/10', // link-local
].map((range) => parseRange(range)!);
