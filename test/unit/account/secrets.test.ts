import { connect, connectTo } from '../../../nodes/service/client';
import { toNodeApiError } from '../../../nodes/service/requestError';
import { uncertainty } from '../support/uncertainty';
import { credential, makeContext, node } from '../../../tools/shared/context';

/** What becomes of a request that is answered so, as it is shown. */
async function ask(body: unknown, apiKey = credential.apiKey, more: object = {}) {
	const http = async () => await Promise.resolve({ statusCode: 200, headers: {}, body, ...more });
	const client = await connect(
		makeContext({ credential: { ...credential, apiKey, ...more }, http }),
	);
	const outcome = client.shown(await client.attempt({ method: 'GET', path: '/' }, 60_000));
	return { client, outcome };
}

/** The error of a request that is answered so, made as the node makes it. */
async function errorOf(...asked: Parameters<typeof ask>) {
	const { client, outcome } = await ask(...asked);
	if (outcome.kind === 'accepted') return undefined;
	return toNodeApiError(node, client, outcome, { itemIndex: 0, uncertainty });
}

/** A key that is long enough for a part of it to be of use. */
const longKey = `key-${'0123456789abcdef'.repeat(20)}`;

test.each([200, 2_000, 20_000])('no part of a secret shows where text is cut: %d', async (cut) => {
	for (let before = cut - 30; before < cut + 5; before++) {
		for (const body of [
			`${'x'.repeat(before)} ${longKey} is not a key`,
			// What is in front of it shrinks, so that it comes into view.
			longKey.repeat(Math.floor(before / longKey.length)).padEnd(before) + longKey,
			JSON.stringify({ detail: `${'x'.repeat(before)} ${longKey}` }),
		]) {
			const error = await errorOf(body, longKey, { statusCode: 400 });
			expect(error?.message).toMatch(/: "/);
			const shown = `${error?.message} ${JSON.stringify(error?.context)}`;
			expect(shown).not.toContain('key-0');
			expect(shown).not.toContain('cdef01');
		}
	}
});

const { apiKey: key } = credential;

test.each([
	[{ statusCode: 422 }, { detail: [{ loc: [key], msg: key, type: key }] }],
	[{ statusCode: 302, headers: { location: `https://x.example/${key}?${key}` } }, key],
])('no error of %j with %j shows a secret', async (more, body) => {
	const error = await errorOf(JSON.stringify(body), key, more);
	expect(error?.message).toContain('***');
	const { description, context, stack } = error!;
	expect(`${error?.message} ${description} ${stack} ${JSON.stringify(context)}`).not.toContain(key);
});

test('an accepted answer that repeats a key of digits as a number does not show it', async () => {
	const { outcome } = await ask('{"id":"1","account":4711471147114711}', '4711471147114711');
	expect(outcome).toEqual({ kind: 'accepted', body: { id: '1', account: '***' } });
});

test('message IDs are unchanged everywhere; all else is clean', async () => {
	const { apiKey } = credential;
	const entry = { messageId: apiKey, to: apiKey, more: [{ message_id: 7, [apiKey]: { apiKey } }] };
	const body = JSON.stringify([entry]).replaceAll('-', '\\u002d'); // as some services write JSON
	expect((await ask(body)).outcome).toEqual({
		kind: 'accepted',
		body: [{ messageId: apiKey, to: '***', more: [{ message_id: 7, '***': { apiKey: '***' } }] }],
	});
});

const hard = 'sk/ey+4f"1c\\\\~9a7be2d8';
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

test.each([
	['as it is', hard],
	['in JSON', inJson(hard)],
	['in JSON with escaped slashes', inJson(hard).replaceAll('/', '\\/')],
	['in a URL', encodeURIComponent(hard)],
	['in a URL, in small letters', encodeURIComponent(hard).toLowerCase()],
])('a secret %s is hidden wherever an accepted answer has it', async (_, written) => {
	const body = JSON.stringify({ messageId: '1', deep: [{ a: `x ${written}` }], [written]: 1 });
	const { outcome } = await ask(body, hard);
	expect(outcome.kind).toBe('accepted');
	expect(JSON.stringify(outcome)).not.toContain(inJson(written).slice(2, -2));
	expect(JSON.stringify(outcome).match(/\*\*\*/g)).toHaveLength(2);
});

test('an answer as deep as it can be is clean, too', async () => {
	const depth = 100_000;
	const body = `${'{"a":'.repeat(depth)}"${credential.apiKey}"${'}'.repeat(depth)}`;
	let inmost: unknown = ((await ask(body)).outcome as { body: unknown }).body;
	while (typeof inmost === 'object') inmost = (inmost as { a: unknown }).a;
	expect(inmost).toBe('***');
});

test('a key of a few characters is not redacted in accepted answers', async () => {
	const body = { messageId: 'pending-1', status: 'pending', taxa: 1 };
	for (const apiKey of ['1', 'pending']) {
		expect((await ask(JSON.stringify(body), apiKey)).outcome).toEqual({ kind: 'accepted', body });
	}
});

test('what is hidden beyond the secrets is hidden before the text is cut, too', async () => {
	const hide = (text: string) => text.replace(/<\d{300}>/g, '<hidden>');
	const body = JSON.stringify({ message: `See <${'1'.repeat(300)}>, ${credential.apiKey}` });
	const http = async () => await Promise.resolve({ statusCode: 400, headers: {}, body });
	const client = connectTo(makeContext({ http }), credential, hide);
	const outcome = client.shown(await client.attempt({ method: 'GET', path: '/' }, 60_000));
	expect(outcome).toMatchObject({ reason: { text: 'See <hidden>, ***' } });
});
