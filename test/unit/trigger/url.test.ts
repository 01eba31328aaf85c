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
	showHostsOnly,
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

const foreignUrl = 'https://crm.example.com:8443/hooks?key=hush';
const escaped = (url: string) => JSON.stringify(url).replaceAll('/', '\\/');
const unicode = (url: string) =>
	url.replace(/[:/=?]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

test.each([
	[`Stored ${foreignUrl}.`, 'Stored https://crm.example.com:8443'],
	[`Not '${foreignUrl}' again`, "Not 'https://crm.example.com:8443 again"],
	[`{"url":"${foreignUrl}","on":true}`, '{"url":"https://crm.example.com:8443","on":true}'],
	[`{"url":${escaped(foreignUrl)}}`, '{"url":"https://crm.example.com:8443"}'],
	[`url=${encodeURIComponent(foreignUrl)} set`, 'url=… set'],
	[encodeURIComponent(encodeURIComponent(foreignUrl)), '…'],
	[`${unicode(foreignUrl)} set`, '… set'],
	['https://user:hush@crm.example.com/', '…'],
	['HTTP://[2001:db8::1]:80/hush is it', 'HTTP://[2001:db8::1]:80 is it'],
	['httpshush is no scheme: hooks', 'httpshush is no scheme: hooks'],
	[`"token":"${secret}"`, '"token":"***"'],
	[`token\\u003d${secret}`, 'token\\u***'], // its digits are hexadecimal too
	[`%3Ftoken%3D${secret} `, '%3Ftoken%*** '],
	[`TOKEN=${secret.toUpperCase()}&x`, 'TOKEN=***&x'],
	['Token inválido.', 'Token inválido.'],
])('of %j remains %j', (text, expected) => expect(showHostsOnly(text)).toBe(expected));

test('no secret is shown, however its URL is written', () => {
	const url = registeredUrl(address, secret);
	for (const write of [String, encodeURIComponent, escaped, unicode, JSON.stringify]) {
		const shown = showHostsOnly(`The webhook ${write(url)} could not be set`);
		expect(shown).not.toMatch(/[\da-f]{64}|4f1c/);
		expect(shown).toMatch(/^The webhook .* could not be set$/);
	}
});

test('nothing of these throws, whatever the service has stored', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (url) => {
			for (const f of [secretOf, endOfTest, addressOf, hostOf, showHostsOnly]) f(url);
			expect(sameAddress(url, url)).toBe(true);
			sameNode(url, address, '4f1c');
		}),
	);
});
