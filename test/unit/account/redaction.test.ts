import { runInNewContext } from 'node:vm';

import { accountOf, type Account } from '../../../nodes/account/account';
import {
	maskAddresses,
	maskTokens,
	redactor,
	secretOf,
	secretsOf,
} from '../../../nodes/account/redaction';
import { formatToken } from '../../../nodes/account/triggerToken';
import { excerpt, quoteValue } from '../../../nodes/text/quote';

test.each<[string, string[], string, string]>([
	['anywhere', ['a-key', 'a-token'], 'key a-key, token a-token, a-key', 'key ***, token ***, ***'],
	['without what was around it', secretsOf({ apiKey: 'Bearer "the-key"' }), 'the-key', '***'],
	['whole, where the other one contains it', ['abc', 'abcdef'], 'abcdef abc', '*** ***'],
	['whole, where it contains the other one', ['abcdef', 'abc'], 'abcdef abc', '*** ***'],
	['with a lone surrogate', ['\ud800x'], 'a \ud800x b', 'a *** b'],
	['literally', ['$&.*'], 'a $&.* b', 'a *** b'],
])('hides a secret %s', (_, secrets, text, clean) => {
	expect(redactor(secrets)(text)).toBe(clean);
});

test.each([undefined, null, '', ' '])('a credential whose keys are %j hides nothing', (secret) => {
	const text = 'null, undefined and more';
	expect(redactor(secretsOf({ apiKey: secret, instanceToken: secret } as never))(text)).toBe(text);
});

const address = 'https://n8n.example.com/n8n/webhook/4f1c/webhook';
const secret = `${'aB3-'.repeat(10)}x_9`;

const foreignUrl = 'https://crm.example.com:8443/hooks?key=hush';
const escaped = (url: string) => JSON.stringify(url).replaceAll('/', '\\/');
const unicode = (url: string) =>
	url.replace(/[:/=?_.-]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
const percent = (url: string) =>
	url.replace(/[^a-z0-9]/gi, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const entities = (url: string) =>
	url.replace(/[:/=?_.-]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`);

test.each([
	[`Stored ${foreignUrl}.`, 'Stored ***'],
	[`{"url": "${foreignUrl}", "on": true}`, '{"url": *** "on": true}'],
	['https://user:hush@crm.example.com/?next=https://other.example.com/', '***'],
	[`"mgt":"v1.p.dw.${secret}"`, '***'],
	[`mgt%3Dv1.p.dw.${secret} `, '*** '],
	['Message 123e4567-e89b-12d3-a456-426614174000 is unknown', null],
])('of %j remains %j', (text, expected) => expect(maskAddresses(text)).toBe(expected ?? text));

test.each([String, encodeURIComponent, escaped, unicode, percent, entities, JSON.stringify])(
	'no secret is shown, however its URL is written: %p',
	(write: (text: string) => string) => {
		const token = formatToken({ workflowId: 'w', secret });
		for (const text of [`${address}?mgt=${token}`, `/webhook?mgt=${token}`, token]) {
			const shown = maskAddresses(`The webhook ${write(text)} could not be set`);
			expect(shown).not.toMatch(/aB3|Zz9|x_9/);
			expect(shown).toMatch(/^The webhook .* could not be set$/);
		}
	},
);

/** Whatever a long value consists of: quadratic, half a million characters take minutes. */
const repeated = [
	...['eyJ', 'eyJeyJpZCI6', '.eyJpZCI6', 'v1.p.', 'v1.tzzzzzzzzzz.', 'a.', '/', '%', '\\', ' '],
	...['http', 'https://', `${'a'.repeat(39)} `, '-', "'", 'bearer ', 'x-api-key:', '/v1', '\n'],
	...['/v1/sms', '?', '\u200b', '[', '.', ':', '@', 'x,', 'BR, ', '1-', '5', '\u2028', '<\n'],
	...['<', '< ', '<a', '<a b="', '>', '<>'],
];
const named = (name: keyof Account) => (value: string) => {
	try {
		return accountOf({ apiKey: value, [name]: value })[name];
	} catch (error) {
		return (error as Error).message;
	}
};
const functions = {
	maskTokens,
	secretOf,
	redact: redactor(['sk/ey+4f1c?>~9a7be2d8']),
	quoteValue: (text: string) => quoteValue(text, maskAddresses),
	excerpt: (text: string) => excerpt(text, maskTokens),
	'the base URL': named('baseUrl'),
	'another field of the credential': named('allowedCountries'),
};

test.each(Object.entries(functions))('%s reads a long value in one go', (_, read) => {
	const readAll = () => {
		for (const part of repeated) {
			const text = part.repeat(Math.ceil(500_000 / part.length));
			[text, `x${text}`, `.${text}!`].forEach(read);
		}
	};
	// In ms: ends what hangs. Node.js keeps it within a regular expression, too.
	runInNewContext('readAll()', { readAll }, { timeout: 30_000 });
});
