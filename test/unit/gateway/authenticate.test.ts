import { UserError, type IHttpRequestOptions } from 'n8n-workflow';

import { authenticate, parseBaseUrl } from '../../../nodes/gateway/authenticate';
import { redactor } from '../../../nodes/gateway/redaction';

const secrets = { apiKey: 'the-key', instanceToken: 'the-token' };
const credential = { baseUrl: 'https://gateway.example/api/', ...secrets };

const headersOf = (options: object, more: object = {}) =>
	authenticate({ ...credential, ...more }, options as IHttpRequestOptions).headers;

const key = { 'X-API-Key': 'the-key' };
const both = { ...key, 'X-Instance-Token': 'the-token' };

test.each<[string, object, object, object]>([
	['SMS', { url: 'https://gateway.example/api/v1/sms/enviar' }, {}, key],
	['API keys', { url: 'https://gateway.example/api/v1/apikeys' }, {}, key],
	['webhook', { url: 'https://gateway.example/api/webhook/' }, {}, key],
	['chat app', { url: 'https://gateway.example/api/v2/chatapp/message/sendMedia' }, {}, both],
	['chat app below another prefix', { url: 'https://gateway.example/v2/chatapp' }, {}, key],
	[
		'a path that only looks like chat app',
		{ url: 'https://gateway.example/api/v1/../v2x/' },
		{},
		key,
	],
	['a path that leads to chat app', { url: 'https://gateway.example/api/v1/../v2/x' }, {}, both],
	['a relative path and baseURL', { url: 'v2/x', baseURL: credential.baseUrl }, {}, both],
	["the HTTP Request node's options", { uri: 'https://gateway.example/api/v2/x' }, {}, both],
	['without a token', { url: 'https://gateway.example/api/v2/x' }, { instanceToken: ' ' }, key],
	[
		'pasted with spaces',
		{ url: 'https://gateway.example/api/v1/x' },
		{ apiKey: ' the-key\n' },
		key,
	],
	[
		'bearer',
		{ url: 'https://gateway.example/api/v2/x' },
		{ authentication: 'bearer' },
		{ Authorization: 'Bearer the-key', 'X-Instance-Token': 'the-token' },
	],
	[
		'other headers stay',
		{ url: 'https://gateway.example/api/v1/x', headers: { Accept: 'a' } },
		{},
		{ Accept: 'a', ...key },
	],
	[
		'an address with the /v2 of its paths',
		{ url: 'https://gateway.example/api/v2/x' },
		{ baseUrl: 'https://gateway.example/api/v2/' },
		both,
	],
	[
		'no base path',
		{ url: 'https://other.example/v2/x' },
		{ baseUrl: 'https://other.example' },
		both,
	],
])('%s', (_, options, more, headers) => {
	expect(headersOf(options, more)).toEqual(headers);
});

test.each([
	'https://evil.example/api/v1/x',
	'http://gateway.example/api/v1/x',
	'https://gateway.example:8443/api/v1/x',
	'https://gateway.example.evil.example/api/v1/x',
	'https://gateway.example@evil.example/api/v1/x',
])('nothing is added to a request to %s', (url) => {
	for (const options of [{ url }, { uri: url }, { url: '/x', baseURL: url }]) {
		expect(() => headersOf(options)).toThrow(UserError);
		expect(options).not.toHaveProperty('headers');
	}
});

test("redirects are not followed, in either of n8n's request helpers", () => {
	expect(authenticate(credential, { url: 'https://gateway.example/' })).toMatchObject({
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	});
});

test.each([
	[true, { skipSslCertificateValidation: true, rejectUnauthorized: false }],
	[false, {}],
	[undefined, {}],
	['false', {}],
])('a certificate that cannot be verified is accepted only if asked for: %j', (allow, options) => {
	const request = authenticate(
		{ ...credential, allowUnauthorizedCerts: allow as boolean },
		{ url: 'https://gateway.example/' },
	);
	const { skipSslCertificateValidation, rejectUnauthorized } = request as never;
	expect({ skipSslCertificateValidation, rejectUnauthorized }).toEqual(options);
});

describe('parseBaseUrl', () => {
	test.each([
		['https://gateway.example', 'https://gateway.example/'],
		['https://gateway.example///', 'https://gateway.example/'],
		[' http://localhost:8080/gateway/ ', 'http://localhost:8080/gateway'],
		['https://gateway.example/v1', 'https://gateway.example/'],
		['https://gateway.example/api//v2//', 'https://gateway.example/api'],
		['https://gateway.example/V1/?a=b#c', 'https://gateway.example/'],
		['https://gateway.example/v1/api', 'https://gateway.example/v1/api'],
		['https://gateway.example/v3', 'https://gateway.example/v3'],
		['https://gateway.example/rev1', 'https://gateway.example/rev1'],
	])('%j is %s', (value, href) => {
		expect(parseBaseUrl({ baseUrl: value }).href).toBe(href);
	});

	test.each([
		'',
		undefined,
		null,
		7,
		'gateway.example',
		'ftp://gateway.example',
		'https://',
		'/v1',
	])('%j is no address', (value) => {
		expect(() => parseBaseUrl({ baseUrl: value } as never)).toThrow("'Base URL'");
	});
});

describe.each(['user@', 'user:pass@', ':pass@'])('%s before the host', (userName) => {
	const baseUrl = `https://${userName}gateway.example/api`;
	const of = (authentication: string) => ({ ...credential, baseUrl, authentication });

	test('is refused with a bearer token, which it would replace', () => {
		expect(() => parseBaseUrl(of('bearer'))).toThrow("'Base URL'");
		expect(() => headersOf({ url: `${baseUrl}/v1/x` }, of('bearer'))).toThrow("'Base URL'");
		const here = { ...credential, authentication: 'bearer' };
		expect(() => headersOf({ url: `${baseUrl}/v1/x` }, here)).toThrow('before its @');
	});

	test('goes with the header of the API key, as a proxy may want it', () => {
		expect(parseBaseUrl(of('apiKeyHeader')).href).toBe(baseUrl);
		expect(headersOf({ url: `${baseUrl}/v1/x` }, of('apiKeyHeader'))).toEqual(key);
	});
});

describe('redactor', () => {
	test.each([
		['key the-key, token the-token, the-key', 'key •••, token •••, •••'],
		['nothing', 'nothing'],
		['', ''],
	])('%s → %s', (text, clean) => {
		expect(redactor(secrets)(text)).toBe(clean);
	});

	test('leaves no part of a secret that contains the other one', () => {
		expect(redactor({ apiKey: 'abc', instanceToken: 'abcdef' })('abcdef abc')).toBe('••• •••');
		expect(redactor({ apiKey: 'abcdef', instanceToken: 'abc' })('abcdef abc')).toBe('••• •••');
	});

	test.each<object>([{}, { apiKey: '', instanceToken: ' ' }])('%j hides nothing', (empty) => {
		expect(redactor(empty as never)('a text')).toBe('a text');
	});

	test.each([
		['in a URL', (secret: string) => encodeURIComponent(secret)],
		['in a URL, in small letters', (secret: string) => encodeURIComponent(secret).toLowerCase()],
		['in JSON', (secret: string) => JSON.stringify(secret).slice(1, -1)],
		['in JSON with escaped slashes', (secret: string) => secret.replaceAll('/', '\\/')],
		['in Base64', (secret: string) => Buffer.from(secret).toString('base64')],
		['in Base64 behind a name', (secret: string) => Buffer.from(`u:${secret}`).toString('base64')],
		['in Base64 before a word', (secret: string) => Buffer.from(`x${secret}:p`).toString('base64')],
		['in Base64 of URLs', (secret: string) => Buffer.from(secret).toString('base64url')],
	])('knows a secret %s', (_, write) => {
		const secret = 'sk/ey+4f1c?>~9a7be2d8';
		const clean = redactor({ apiKey: secret })(`a ${write(secret)} b`);
		expect(clean).toMatch(/^a .{0,4}•••.{0,4} b$/);
	});

	test('bears a secret with half of a sign, and takes no short one for Base64', () => {
		expect(redactor({ apiKey: '\ud800x' })('a \ud800x b')).toBe('a ••• b');
		expect(redactor({ apiKey: 'abc' })(Buffer.from('abc').toString('base64'))).toBe('YWJj');
	});

	test('takes the secret literally', () => {
		expect(redactor({ apiKey: '$&.*' })('a $&.* b')).toBe('a ••• b');
	});
});

test.each([
	undefined,
	null,
	'',
	'gateway.example',
	'httpsx://gateway.example',
	'ftp://gateway.example',
])('the base URL %j is no web address', (baseUrl) => {
	const parse = () => parseBaseUrl({ baseUrl } as never);
	expect(parse).toThrow("'Base URL' in the Messaging Gateway credential is not a web address");
	try {
		parse();
	} catch (error) {
		expect((error as UserError).description).toBe(
			'Enter the full address of the service, e.g. https://api.example.com',
		);
	}
});

test.each([undefined, null, ' '])('a credential whose key is %j hides nothing', (apiKey) => {
	expect(redactor({ apiKey, instanceToken: apiKey } as never)('null, undefined and more')).toBe(
		'null, undefined and more',
	);
});

test.each([undefined, null])('a credential without keys, %j, sends empty ones', (secret) => {
	const more = { apiKey: secret, instanceToken: secret };
	expect(headersOf({ url: 'https://gateway.example/api/v2/x' }, more)).toEqual({ 'X-API-Key': '' });
});

test('short secrets are left out where so much is told', () => {
	const redact = redactor({ apiKey: '1234567', instanceToken: '12345678' }, 8);
	expect(redact('1234567 12345678')).toBe('1234567 •••');
});
