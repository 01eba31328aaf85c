import fc from 'fast-check';

import {
	addressOf,
	endOfTest,
	hostOf,
	makeSecret,
	registeredUrl,
	sameAddress,
	sameNode,
	secretOf,
} from '../../../nodes/MessagingGatewayTrigger/registration/url';
import { maskSecret } from '../../../nodes/shared/webhookUrl';

const address = 'https://n8n.example.com/n8n/webhook/4f1c/webhook';
const secret = makeSecret();

test('a secret is 32 random bytes', () => {
	const secrets = new Set(Array.from({ length: 100 }, makeSecret));
	expect(secrets.size).toBe(100);
	for (const one of secrets) expect(one).toMatch(/^[\da-f]{64}$/);
});

test('a registered URL gives back what it was made of', () => {
	const url = registeredUrl(address, secret);
	expect(url).toBe(`${address}?token=${secret}`);
	expect([secretOf(url), addressOf(url), endOfTest(url)]).toEqual([secret, address, undefined]);
	expect(maskSecret(url)).toBe(`${address}?token=***`);
});

test('the URL of a test says when the test is over', () => {
	const url = registeredUrl(address, secret, { isTest: true });
	const seconds = (endOfTest(url)! - Date.now()) / 1000;
	expect(seconds).toBeGreaterThan(120);
	expect(seconds).toBeLessThan(180);
	expect([secretOf(url), addressOf(url)]).toEqual([secret, address]);
});

test('other URLs have neither secret nor end', () => {
	for (const url of [address, `${address}?token=abc`, `${address}?testUntil=1`, 'no address', '']) {
		expect([secretOf(url), endOfTest(url)]).toEqual([undefined, undefined]);
	}
});

test('the same address, whatever the query', () => {
	expect(sameAddress(registeredUrl(address, secret), `${address}?token=other#x`)).toBe(true);
	expect(sameAddress(address, `${address}/`)).toBe(false);
	expect(sameAddress(address, address.replace('https', 'http'))).toBe(false);
});

test.each([
	['https://other.example.com/webhook/4f1c/webhook?token=x', true],
	['https://n8n.example.com/webhook-test/4f1c/webhook', true],
	[address, true],
	['https://n8n.example.com/webhook/4f1c0/webhook', false],
	['https://n8n.example.com/webhook/other/webhook?id=4f1c', false],
	['4f1c', false],
])('%s leads to the same node: %s', (url, expected) => {
	expect(sameNode(url, address, '4f1c')).toBe(expected);
});

test('a node without a webhook id is known by its address', () => {
	expect(sameNode(`${address}?token=x`, address, undefined)).toBe(true);
	expect(sameNode('https://n8n.example.com/webhook/other', address, undefined)).toBe(false);
});

test('the host is all that a person sees', () => {
	expect(hostOf('https://user:pass@crm.example.com:8443/path?key=1')).toBe('crm.example.com:8443');
	expect(hostOf('nonsense')).toBe('something that is not a web address');
	expect(hostOf('mailto:a@b.c')).toBe('something that is not a web address');
});

test('nothing of these throws, whatever the service has stored', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (url) => {
			for (const f of [secretOf, endOfTest, addressOf, hostOf]) f(url);
			expect(sameAddress(url, url)).toBe(true);
			sameNode(url, address, '4f1c');
		}),
	);
});
