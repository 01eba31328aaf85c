import { inspect } from 'node:util';
import fc from 'fast-check';

import { connect, connectTo } from '../../../nodes/gateway/client';
import { toNodeApiError } from '../../../nodes/gateway/errors';
import { answer } from '../support/answers';
import { credential, makeContext, node } from '../../../testing/context';

const uncertainty = { mayHave: 'It may have been done', check: 'Look.' };
/** Whatever a header can hold. */
const token = /[!-~]{12,60}/;

/** The error of a request that is answered so, made as the node makes it. */
async function errorOf(
	answered: { statusCode: number; headers: object; body: unknown },
	secrets: { apiKey: string; instanceToken: string } = credential,
) {
	const http = async () => await Promise.resolve(answered);
	const context = makeContext({ credential: { ...credential, ...secrets }, http });
	const client = await connect(context);
	const outcome = client.shown(await client.attempt({ method: 'GET', path: '/webhook/' }, 60_000));
	if (outcome.kind === 'accepted') return undefined;
	return toNodeApiError(node, client, outcome, { itemIndex: 0, uncertainty });
}

/** Ways in which a service may repeat what was sent to it. */
const echoes: Array<(secret: string) => string | object> = [
	(secret) => ({ success: false, message: `Chave ${secret} inválida` }),
	(secret) => ({ detail: [{ loc: ['header', secret], msg: `bad ${secret}`, type: secret }] }),
	(secret) => ({ detail: secret }),
	(secret) => ({ error: secret, message: '' }),
	(secret) => ({ headers: { 'X-API-Key': secret } }),
	(secret) => [secret],
	(secret) => `<p title="${secret}">${secret}</p>`,
	(secret) => secret,
];

test('whatever the service says, an error holds texts and no secret', async () => {
	await fc.assert(
		fc.asyncProperty(
			answer,
			fc.stringMatching(new RegExp(`^${token.source}$`)),
			fc.stringMatching(new RegExp(`^${token.source}$`)),
			fc.option(fc.constantFrom(...echoes), { nil: undefined }),
			async (any, apiKey, instanceToken, echo) => {
				const said = echo?.(`${apiKey} ${instanceToken}`);
				const body = typeof said === 'object' ? JSON.stringify(said) : said;
				const headers = {
					...any.headers,
					location: `https://x.example/${apiKey}/?t=${instanceToken}`,
				};
				const error = await errorOf(
					{ ...any, headers, body: body ?? any.body },
					{ apiKey, instanceToken },
				);
				if (!error) return;
				expect(error.message).toMatch(/\S/);
				expect(error.description).toMatch(/\S/);
				for (const text of [
					error.message,
					error.description,
					JSON.stringify(error),
					inspect(error),
				]) {
					expect(text).not.toContain(apiKey);
					expect(text).not.toContain(instanceToken);
				}
			},
		),
		{ numRuns: 500 },
	);
});

/** A key that is long enough for a part of it to be of use. */
const longKey = `key-${'0123456789abcdef'.repeat(20)}`;

test.each([200, 2_000, 20_000])(
	'a secret that stands where the text is cut off, near %d, does not show in part',
	async (cut) => {
		const secrets = { ...credential, apiKey: longKey };
		for (let before = cut - 30; before < cut + 5; before++) {
			for (const body of [
				`${'x'.repeat(before)} ${longKey} is not a key`,
				// What is in front of it shrinks, so that it comes into view.
				longKey.repeat(Math.floor(before / longKey.length)).padEnd(before) + longKey,
				JSON.stringify({ detail: `${'x'.repeat(before)} ${longKey}` }),
			]) {
				const error = await errorOf({ statusCode: 400, headers: {}, body }, secrets);
				expect(error?.message).toMatch(/: "/);
				expect(error?.message).not.toContain('key-0');
				expect(error?.message).not.toContain('cdef01');
			}
		}
	},
);

test('a secret is known as JSON writes it, too', async () => {
	const secrets = { ...credential, apiKey: 'key-"4f1c\\9a7e' };
	const body = JSON.stringify({ headers: { 'x-api-key': secrets.apiKey } });
	const error = await errorOf({ statusCode: 400, headers: {}, body }, secrets);
	expect(error?.message).toContain('{"headers":{"x-api-key":"•••"}}');
});

test.each([
	['as a text', '{"id":"1","account":"4711471147114711"}', { id: '1', account: '•••' }],
	['as a number', '{"id":"1","account":4711471147114711}', { id: '1', account: '•••' }],
])(
	'an accepted answer that repeats a key of digits %s does not show it',
	async (_, body, shown) => {
		const answered = { statusCode: 200, headers: {}, body };
		const http = async () => await Promise.resolve(answered);
		const secrets = { ...credential, apiKey: '4711471147114711' };
		const client = await connect(makeContext({ credential: secrets, http }));
		const outcome = client.shown(await client.attempt({ method: 'GET', path: '/webhook/' }, 60_000));
		expect(outcome).toMatchObject({ kind: 'accepted' });
		expect(outcome).toHaveProperty('body', shown);
	},
);

test('a message ID stays as it is, wherever it stands; all else is clean', async () => {
	const { apiKey } = credential;
	const entry = { messageId: apiKey, to: apiKey, more: [{ message_id: 7, [apiKey]: { apiKey } }] };
	const body = JSON.stringify([entry]).replaceAll('-', '\\u002d'); // as some services write JSON
	const http = async () => await Promise.resolve({ statusCode: 200, headers: {}, body });
	const client = await connect(makeContext({ credential, http }));
	expect(client.shown(await client.attempt({ method: 'GET', path: '/' }, 60_000))).toEqual({
		kind: 'accepted',
		body: [{ messageId: apiKey, to: '•••', more: [{ message_id: 7, '•••': { apiKey: '•••' } }] }],
	});
});

test('an answer as deep as it can be is clean, too', async () => {
	const depth = 100_000;
	const body = `${'{"a":'.repeat(depth)}"${credential.apiKey}"${'}'.repeat(depth)}`;
	const http = async () => await Promise.resolve({ statusCode: 200, headers: {}, body });
	const client = await connect(makeContext({ credential, http }));
	const outcome = client.shown(await client.attempt({ method: 'GET', path: '/' }, 60_000));
	expect(outcome.kind).toBe('accepted');
	let inmost: unknown = (outcome as { body: unknown }).body;
	while (typeof inmost === 'object') inmost = (inmost as { a: unknown }).a;
	expect(inmost).toBe('•••');
});

test.each([
	['1', '55119'],
	['pending', 'pending'],
])('a key of a few characters, %j, is not looked for in what was accepted', async (apiKey, to) => {
	const body = { messageId: 'pending-1', status: to, taxa: 1 };
	const http = async () =>
		await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify(body) });
	const client = await connect(makeContext({ credential: { ...credential, apiKey }, http }));
	const outcome = client.shown(await client.attempt({ method: 'GET', path: '/' }, 60_000));
	expect(outcome).toEqual({ kind: 'accepted', body });
});

test('what is hidden beyond the secrets is hidden before the text is cut, too', async () => {
	const hide = (text: string) => text.replace(/<\d{300}>/g, '<hidden>');
	const http = async () =>
		await Promise.resolve({
			statusCode: 400,
			headers: {},
			body: JSON.stringify({ message: `See <${'1'.repeat(300)}>, ${credential.apiKey}` }),
		});
	const client = connectTo(makeContext({ http }), credential, hide);
	const outcome = client.shown(await client.attempt({ method: 'GET', path: '/' }, 60_000));
	expect(outcome).toMatchObject({ reason: { text: 'See <hidden>, •••' } });
});
