import { readConnected } from '../../../../nodes/gateway/endpoints/instance';

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
	[{ connected: false, state: 'open' }, false],
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
