import { redactor, secretsOf, spellingsOf } from '../../../nodes/gateway/redaction';

test.each([
	['key the-key, token the-token, the-key', 'key •••, token •••, •••'],
	['nothing', 'nothing'],
	['', ''],
])('%s → %s', (text, clean) => {
	expect(redactor(['the-key', 'the-token'])(text)).toBe(clean);
});

test('knows a key that was entered with what is around it', () => {
	expect(redactor(secretsOf({ apiKey: 'Bearer "the-key"' }))('bad the-key')).toBe('bad •••');
});

test('leaves no part of a secret that contains the other one', () => {
	expect(redactor(['abc', 'abcdef'])('abcdef abc')).toBe('••• •••');
	expect(redactor(['abcdef', 'abc'])('abcdef abc')).toBe('••• •••');
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

test('accepts a secret with a lone surrogate, and takes it literally', () => {
	expect(redactor(['\ud800x'])('a \ud800x b')).toBe('a ••• b');
	expect(redactor(['$&.*'])('a $&.* b')).toBe('a ••• b');
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
