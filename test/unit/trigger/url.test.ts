import { runInNewContext } from 'node:vm';

import { addressOf, hostOf } from '../../../nodes/MessagingGatewayTrigger/identity';
import { showHostsOnly } from '../../../nodes/gateway/redaction';
import { formatToken } from '../../../nodes/gateway/triggerToken';

const address = 'https://n8n.example.com/n8n/webhook/4f1c/webhook';
const secret = `${'aB3-'.repeat(10)}x_9`;
const sealed = 'Zz9_-'.repeat(20);

test('an address has no query, and is written as browsers write it', () => {
	expect(addressOf(`${address}?mgt=x#y`)).toBe(address);
	expect(addressOf('HTTPS://N8N.example.com:443/a')).toBe('https://n8n.example.com/a');
	expect(addressOf('no address?x')).toBe('no address?x');
});

test('the host is all that a person sees', () => {
	expect(hostOf('https://user:pass@crm.example.com:8443/path?key=1')).toBe('crm.example.com:8443');
	expect(hostOf('nonsense')).toBe('something that is not a web address');
	expect(hostOf('mailto:a@b.c')).toBe('something that is not a web address');
});

const foreignUrl = 'https://crm.example.com:8443/hooks?key=hush';
const escaped = (url: string) => JSON.stringify(url).replaceAll('/', '\\/');
const unicode = (url: string) =>
	url.replace(/[:/=?_.-]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
const percent = (url: string) =>
	url.replace(/[^a-z0-9]/gi, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const entities = (url: string) =>
	url.replace(/[:/=?_.-]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`);

test.each([
	[`Stored ${foreignUrl}.`, 'Stored https://crm.example.com:8443'],
	[`Not '${foreignUrl}' again`, "Not 'https://crm.example.com:8443 again"],
	[`{"url":"${foreignUrl}","on":true}`, '{"url":"https://crm.example.com:8443","on":true}'],
	[`{"url":${escaped(foreignUrl)}}`, '{"url":"https://crm.example.com:8443"}'],
	[`url=${encodeURIComponent(foreignUrl)} set`, 'url=… set'],
	[encodeURIComponent(encodeURIComponent(foreignUrl)), '…'],
	[`${unicode(foreignUrl)} set`, '… set'],
	['https://user:hush@crm.example.com/', '…'],
	['https://user:hush@crm.example.com/?next=https://other.example.com/', '…'],
	['HTTP://[2001:db8::1]:80/hush is it', 'HTTP://[2001:db8::1]:80 is it'],
	['httpshush is no scheme: hooks', 'httpshush is no scheme: hooks'],
	[`"mgt":"v1.p.${secret}.${sealed}"`, '"mgt":"v1.p.***.***"'],
	[`mgt%3Dv1.p.${secret} `, 'mgt%3Dv1.p.*** '],
	['Message 123e4567-e89b-12d3-a456-426614174000 is unknown', null],
	['Token inválido.', null],
])('of %j remains %j', (text, expected) => expect(showHostsOnly(text)).toBe(expected ?? text));

test.each([String, encodeURIComponent, escaped, unicode, percent, entities, JSON.stringify])(
	'no secret is shown, however its URL is written: %p',
	(write: (text: string) => string) => {
		const token = formatToken({ secret, sealed });
		for (const text of [`${address}?mgt=${token}`, `/webhook?mgt=${token}`, token]) {
			const shown = showHostsOnly(`The webhook ${write(text)} could not be set`);
			expect(shown).not.toMatch(/aB3|Zz9|x_9/);
			expect(shown).toMatch(/^The webhook .* could not be set$/);
		}
	},
);

test.each([
	'http',
	'https://',
	'https:\\/',
	'%2525',
	'%25',
	'\\',
	'\\u002d',
	'&#x2d;',
	`${'a'.repeat(39)} `,
	'http%',
	'https://a\\/',
])('2 MB of %j do not keep it busy without end', (part) => {
	const text = part.repeat(2_000_000 / part.length);
	const end = { timeout: 60_000 }; // ms; quadratic, it takes hours
	const shown: unknown = runInNewContext('showHostsOnly(text)', { showHostsOnly, text }, end);
	expect(typeof shown).toBe('string');
});
