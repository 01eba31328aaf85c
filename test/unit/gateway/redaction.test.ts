import { runInNewContext } from 'node:vm';

import { redactor, secretsOf, showHostsOnly, spellingsOf } from '../../../nodes/gateway/redaction';
import { formatToken } from '../../../nodes/gateway/triggerToken';

test.each<[string, string[], string, string]>([
	['anywhere', ['a-key', 'a-token'], 'key a-key, token a-token, a-key', 'key •••, token •••, •••'],
	['without what was around it', secretsOf({ apiKey: 'Bearer "the-key"' }), 'the-key', '•••'],
	['whole, where the other one contains it', ['abc', 'abcdef'], 'abcdef abc', '••• •••'],
	['whole, where it contains the other one', ['abcdef', 'abc'], 'abcdef abc', '••• •••'],
	['with a lone surrogate', ['\ud800x'], 'a \ud800x b', 'a ••• b'],
	['literally', ['$&.*'], 'a $&.* b', 'a ••• b'],
])('hides a secret %s', (_, secrets, text, clean) => {
	expect(redactor(secrets)(text)).toBe(clean);
});

test.each([undefined, null, '', ' '])('a credential whose keys are %j hides nothing', (secret) => {
	const text = 'null, undefined and more';
	expect(redactor(secretsOf({ apiKey: secret, instanceToken: secret } as never))(text)).toBe(text);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
	['in a URL', (secret: string) => encodeURIComponent(secret)],
	['in a URL, in small letters', (secret: string) => encodeURIComponent(secret).toLowerCase()],
	['in JSON', (secret: string) => JSON.stringify(secret).slice(1, -1)],
	['in JSON with escaped slashes', (secret: string) => secret.replaceAll('/', '\\/')],
	['in Base64', base64],
	['in Base64 behind one sign', (secret: string) => base64(`u${secret}`)],
	['in Base64 behind a name', (secret: string) => base64(`u:${secret}`)],
	['in Base64 before a word', (secret: string) => base64(`x${secret}:p`)],
	['in Base64 of URLs', (secret: string) => Buffer.from(secret).toString('base64url')],
])('knows a secret %s', (_, write) => {
	const secret = 'sk/ey+4f1c?>~9a7be2d8';
	const clean = redactor([secret])(`a ${write(secret)} b`);
	expect(clean).toMatch(/^a .{0,4}•••.{0,4} b$/);
});

test('ignores secrets shorter than the given length', () => {
	const redact = redactor(['1234567', '12345678'], 8);
	expect(redact('1234567 12345678')).toBe('1234567 •••');
});

test.each([
	['abcde', ['abcde']],
	['abcdef', ['abcdef', 'YWJjZGVm']],
])('of %s, Base64 of fewer than eight signs is left out', (secret, spellings) => {
	expect(spellingsOf(secret)).toEqual(spellings);
});

const address = 'https://n8n.example.com/n8n/webhook/4f1c/webhook';
const secret = `${'aB3-'.repeat(10)}x_9`;
const sealed = 'Zz9_-'.repeat(20);

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
	[encodeURIComponent(encodeURIComponent(foreignUrl)), '…'],
	[`${unicode(foreignUrl)} set`, '… set'],
	['https://user:hush@crm.example.com/?next=https://other.example.com/', '…'],
	['HTTP://[2001:db8::1]:80/hush is it', 'HTTP://[2001:db8::1]:80 is it'],
	[`"mgt":"v1.p.${secret}.${sealed}"`, '"mgt":"v1.p.***.***"'],
	[`mgt%3Dv1.p.${secret} `, 'mgt%3Dv1.p.*** '],
	['Message 123e4567-e89b-12d3-a456-426614174000 is unknown', null],
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
	...['http', 'https://', 'https:\\/', 'http%', 'https://a\\/', `${'a'.repeat(39)} `],
	...['%2525', '%25', '\\', '\\u002d', '&#x2d;'],
])('2 MB of %j do not keep it busy without end', (part) => {
	const text = part.repeat(2_000_000 / part.length);
	const end = { timeout: 60_000 }; // ms; quadratic, it takes hours
	const shown: unknown = runInNewContext('showHostsOnly(text)', { showHostsOnly, text }, end);
	expect(typeof shown).toBe('string');
});
