import { contains, parseAddress, parseRange } from './ipAddress';

/**
 * Whether the service can deliver to a webhook URL: a service on the internet reaches https and
 * public hosts only, one in the same network reaches anything.
 */
export function isReachable(webhookUrl: string, serviceUrl: string): boolean {
	const { protocol, hostname } = new URL(webhookUrl);
	return (
		!isPublicHost(new URL(serviceUrl).hostname) || (protocol === 'https:' && isPublicHost(hostname))
	);
}

/** Whether a host, as `URL` gives it, can be on the internet. */
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
