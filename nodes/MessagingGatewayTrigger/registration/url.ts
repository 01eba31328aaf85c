import { randomBytes } from 'crypto';

import { secretParameter } from '../../shared/webhookUrl';

/** Query parameter that marks the URL of a test: when n8n's listening ends, in ms since 1970. */
const testParameter = 'testUntil';

/** Two minutes, n8n's limit for a test event, and half a minute for it to clean up. */
const testLimitMs = 150_000;

/** A new secret: 32 random bytes as hexadecimal text. */
export const makeSecret = (): string => randomBytes(32).toString('hex');

/** n8n's webhook URL as it is registered at the service. */
export function registeredUrl(address: string, secret: string, { isTest = false } = {}): string {
	const url = new URL(address);
	if (isTest) url.searchParams.set(testParameter, String(Date.now() + testLimitMs));
	url.searchParams.set(secretParameter, secret);
	return url.href;
}

/** The secret in a URL that a trigger registered; undefined in any other. */
export function secretOf(url: string): string | undefined {
	const secret = parameter(url, secretParameter);
	return secret && /^[\da-f]{64}$/.test(secret) ? secret : undefined;
}

/**
 * A text of the service's, which may repeat URLs that were set, in any encoding: their hosts alone,
 * and secrets, known by their shape, not at all.
 */
export const showHostsOnly = (text: string): string =>
	text
		.replace(/https?(?::|\\u003a|%(?:25)*3a)[^\s"<>]*/gi, (url) => originOf(url) ?? '…')
		.replace(/[\da-f]{64,}/gi, '***');

/** Of a URL as a person writes it, or JSON with `\/`; undefined where the host cannot be told. */
const originOf = (url: string): string | undefined =>
	/^https?:\/\/[\w.:[\]-]+(?![\w.:[\]@%\\-])/i.exec(url.replaceAll('\\/', '/'))?.[0];

/** When the test that a URL was registered for is over, in ms since 1970; undefined for no test. */
export function endOfTest(url: string): number | undefined {
	const end = secretOf(url) && parameter(url, testParameter);
	return end ? Number(end) : undefined;
}

/** A URL without its query, and so without its secret. */
export function addressOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** The part of a URL that may be shown to a person. */
export function hostOf(url: string): string {
	return (URL.canParse(url) && new URL(url).host) || 'something that is not a web address';
}

/** Whether two URLs are the same, whatever their secrets. */
export const sameAddress = (a: string, b: string): boolean => addressOf(a) === addressOf(b);

/**
 * Whether a URL leads to the node with this address and webhook id. n8n puts the id into the path
 * of a node's URLs, of production and of tests, and keeps it when the instance moves to another host.
 */
export function sameNode(url: string, address: string, webhookId: string | undefined): boolean {
	if (sameAddress(url, address)) return true;
	if (!webhookId || !URL.canParse(url)) return false;
	return new URL(url).pathname.split('/').includes(webhookId);
}

function parameter(url: string, name: string): string | undefined {
	return URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? undefined) : undefined;
}
