import { UserError, type IHttpRequestOptions } from 'n8n-workflow';

import { accountOf, authenticate } from '../../../nodes/account/account';

const baseUrl = 'https://gateway.example/api/';
const credential = { baseUrl, apiKey: 'the-key', instanceToken: 'the-token' };

const headersOf = (options: object, more: object = {}) =>
	authenticate({ ...credential, ...more }, options as IHttpRequestOptions).headers;

const key = { 'X-API-Key': 'the-key' };
const both = { ...key, 'X-Instance-Token': 'the-token' };

const here = 'https://gateway.example/api';
const bearer = { Authorization: 'Bearer the-key', 'X-Instance-Token': 'the-token' };

test.each<[string, object, object, object]>([
	['SMS', { url: `${here}/v1/sms/enviar` }, {}, key],
	['webhook', { url: `${here}/webhook/` }, {}, key],
	['chat app', { url: `${here}/v2/chatapp/message/sendMedia` }, {}, both],
	['chat app below another prefix', { url: 'https://gateway.example/v2/chatapp' }, {}, key],
	['a path that only looks like chat app', { url: `${here}/v1/../v2x/` }, {}, key],
	['a path that leads to chat app', { url: `${here}/v1/../v2/x` }, {}, both],
	['a relative path and baseURL', { url: 'v2/x', baseURL: credential.baseUrl }, {}, both],
	["the HTTP Request node's options", { uri: `${here}/v2/x` }, {}, both],
	['without a token', { url: `${here}/v2/x` }, { instanceToken: ' ' }, key],
	['pasted with spaces', { url: `${here}/v1/x` }, { apiKey: ' the-key\n' }, key],
	['bearer', { url: `${here}/v2/x` }, { sendKeyAs: 'bearer' }, bearer],
	['a header more', { url: here, headers: { Accept: 'a' } }, {}, { Accept: 'a', ...key }],
	['no base path', { url: 'https://a.example/v2/x' }, { baseUrl: 'https://a.example' }, both],
])('%s', (_, options, more, headers) => {
	expect(headersOf(options, more)).toEqual(headers);
});

test.each([
	...['Bearer the-key', 'Bearer: the-key', '"the-key"', '“the-key”', 'X-API-Key: the-key'],
	...["'X-API-Key': 'the-key',", 'x-api-key=the-key', 'X-API-Key the-key'],
	...['Authorization: Bearer  the-key\n', '\u200bthe-key\ufeff\u00a0', ' bearer "the-key" '],
])('around the key, %j is taken off', (apiKey) => {
	const instanceToken = apiKey
		.replace('the-key', 'the-token')
		.replace(/api-key/i, 'Instance-Token');
	expect(headersOf({ url: `${here}/v2/x` }, { apiKey, instanceToken })).toEqual(both);
	const asBearer = { apiKey, instanceToken, sendKeyAs: 'bearer' };
	expect(headersOf({ url: `${here}/v2/x` }, asBearer)).toEqual(bearer);
});

test.each(['a:b=c', 'bearer-1', 'k;e"y', 'X-API-Keys', 'p4$$ word', 'ção'])(
	'%j is a key as it is',
	(apiKey) => {
		expect(headersOf({ url: here }, { apiKey })).toEqual({ 'X-API-Key': apiKey });
	},
);

test.each(['', '  ', null, undefined, {}, 'undefined', 'null', 'Bearer ', '""', 'X-API-Key:'])(
	'%j is no key, and nothing is sent',
	(apiKey) => {
		const options = { url: here };
		expect(() => headersOf(options, { apiKey })).toThrow(
			"'API Key' in the Messaging Gateway credential is empty",
		);
		expect(options).not.toHaveProperty('headers');
	},
);

test.each([
	['API Key', { apiKey: '••••••••3f2a' }],
	['API Key', { apiKey: 'one\ntwo' }],
	['Instance Token', { instanceToken: 'one\r\ntwo' }],
	['API Key', { apiKey: 'k'.repeat(5_001) }],
])('what no header can contain is refused: %s, %.40j', (name, more) => {
	expect(() => headersOf({ url: here }, more)).toThrow(
		`'${name}' in the Messaging Gateway credential is too long, or contains a line break or a character such as •`,
	);
});

test.each([
	...['https://evil.example/api/v1/x', 'http://gateway.example/api/v1/x'],
	...['https://gateway.example:8443/api/v1/x', 'https://gateway.example.evil.example/api/v1/x'],
	'https://gateway.example@evil.example/api/v1/x',
	...['//evil.example/x', '\\\\evil.example\\x', '/\\evil.example/x', ' //evil.example/x'],
	// HTTP clients open these as https://evil.example/x: axios before 1.18, so n8n before 2.21.
	...['https:evil.example/x', 'https:/evil.example/x', 'https:\\\\evil.example\\x'],
	...['https:\\evil.example/x', 'HTTPS:evil.example/x', ' https:evil.example/x'],
	'\u0001https:evil.example/x',
	...['ht\ntps:evil.example/x', 'https\t:evil.example/x', 'http:evil.example/x'],
	'https:x:y@evil.example/x',
	// As a scheme in front of it, even where it looks like the service's own path.
	...['https:v1/x', 'javascript:1', 'file:///etc/passwd', 'gateway.example:443/api/v1/x'],
])('nothing is added to a request to %s', (url) => {
	for (const options of [{ url }, { uri: url }, { url, baseURL: baseUrl }]) {
		expect(() => headersOf(options)).toThrow(UserError);
		expect(options).not.toHaveProperty('headers');
	}
});

test('nothing is added to a request below another address', () => {
	for (const baseURL of [
		'https://evil.example/api',
		'https:evil.example',
		'http://gateway.example',
	]) {
		const options = { url: '/x', baseURL };
		expect(() => headersOf(options)).toThrow(UserError);
		expect(options).not.toHaveProperty('headers');
	}
});

test("redirects are not followed, in either of n8n's request helpers", () => {
	const none = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };
	expect(authenticate(credential, { url: 'https://gateway.example/' })).toMatchObject(none);
});

test.each([
	[true, { skipSslCertificateValidation: true, rejectUnauthorized: false }],
	[false, {}],
	[undefined, {}],
	['false', {}],
])('a certificate that cannot be verified is accepted only if asked for: %j', (allow, options) => {
	const asking = { ...credential, allowUnauthorizedCerts: allow as boolean };
	const request = authenticate(asking, { url: 'https://gateway.example/' });
	const { skipSslCertificateValidation, rejectUnauthorized } = request as never;
	expect({ skipSslCertificateValidation, rejectUnauthorized }).toEqual(options);
});

describe('the base URL', () => {
	test.each([
		['https://gateway.example', 'https://gateway.example/'],
		['https://gateway.example///', 'https://gateway.example/'],
		[' http://localhost:8080/gateway/ ', 'http://localhost:8080/gateway'],
		['https://gateway.example/api/?a=b#c', 'https://gateway.example/api'],
		['https://gateway.example/v1', 'https://gateway.example/'],
		['https://gateway.example/api/v2/chat/message/media', 'https://gateway.example/api'],
		['https://gateway.example/v10', 'https://gateway.example/v10'],
		['https://user:pass@gateway.example', 'https://user:pass@gateway.example/'], // of a proxy
	])('%j is %s', (value, href) => {
		expect(accountOf({ baseUrl: value }).baseUrl.href).toBe(href);
	});

	test.each([
		...['', undefined, null, 7, 'gateway', 'gateway.example/api', '/v1', 'https://'],
		...['ftp://gateway.example', 'httpsx://gateway.example'],
	])('%j is no address', (baseUrl) => {
		expect(() => accountOf({ baseUrl } as never).baseUrl).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(
					/^'Base URL' in .* credential (is not a web address: '|is empty$)/,
				),
				description: 'Enter the full address of the service, e.g. https://api.example.com.',
			}),
		);
	});
});

test('a login in the Base URL goes with the header of the key', () => {
	const baseUrl = 'https://ann:s3cret@gateway.example';
	expect(headersOf({ url: `${baseUrl}/v1/apikeys` }, { baseUrl })).toEqual(key);
});
