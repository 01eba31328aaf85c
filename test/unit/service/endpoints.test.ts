/** What answers of the service say. */
import { readConnected } from '../../../nodes/service/endpoints/instance';
import { webhookIn, type Webhook } from '../../../nodes/service/endpoints/webhook';

test.each([
	...['open', 'opened', 'connected', 'online', 'OPEN'].map((word) => [word, true] as const),
	...['close', 'closed', 'connecting', 'disconnected', 'offline'].map(
		(word) => [word, false] as const,
	),
	...['reopen', 'opening', 'not connected', 'connected no more', 'unclosed', 'closed soon'].map(
		(word) => [word, null] as const,
	),
])('the word %s says %s', (word, connected) => {
	for (const name of ['state', 'connectionState', 'status']) {
		expect(readConnected({ [name]: word })).toBe(connected);
		expect(readConnected({ instance: { [name]: word } })).toBe(connected);
	}
});

test.each([
	[{ connected: true, state: 'closed' }, true],
	[{ connected: 'yes', state: 'closed' }, false],
	[{ state: 1, status: 'online' }, true],
	[{ state: '', status: ' Open\n' }, true],
	[{ status: 'success', instance: { state: 'close' } }, false],
	[{ state: null, instance: { instance: { status: 'online' } } }, true],
	[{ state: 'pairing', instance: { state: 'open' } }, true],
	[{ instance: [{ state: 'open' }] }, null],
	[{ instance: null }, null],
	[{ instance: 'open' }, null],
	[{}, null],
])('%j says %s', (answer, connected) => expect(readConnected(answer)).toBe(connected));

const url = 'https://n8n.example.com/webhook/4f1c/webhook';

test.each<[unknown, unknown, Webhook | null | undefined]>([
	...[true, null, undefined, 'true', 1, 'false'].map((enabled): [unknown, unknown, Webhook] => [
		url,
		enabled,
		{ url, enabled: true },
	]),
	[url, false, { url, enabled: false }],
	['', true, null],
	[null, null, null],
	[undefined, false, undefined],
	[7, true, undefined],
	[[url], true, undefined],
])('the service answers with the URL %j, enabled %j', (given, enabled, expected) => {
	const answer = { ...(given !== undefined && { url: given }), enabled };
	expect(webhookIn(answer as never)).toEqual(expected);
});
