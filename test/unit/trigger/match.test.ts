import { matches, recognise } from '../../../nodes/MessagingGatewayTrigger/delivery/shape';

const delivery = {
	status: 'sent',
	count: 5,
	ok: false,
	nothing: null,
	data: { messages: [{ to: '55' }, { to: '56' }], 'a.b': 'c' },
	padded: ' x ',
	'form[0][id]': 'y',
	list: [['a']],
	long: Array.from({ length: 11 }, (_, index) => index),
	message_id: 'm-1',
	from: '00351912345678',
	statusmessage: 'delivered',
};

const isMatch = (conditions: Parameters<typeof matches>[2]) =>
	matches(delivery, recognise(delivery), conditions);

test('a condition that is no text matches nothing, and breaks nothing', () => {
	const none = { toString: 1, valueOf: 1 } as never;
	expect(isMatch([{ field: none, value: 'sent' }])).toBe(false);
	expect(isMatch([{ field: 'status', value: none }])).toBe(false);
});

test.each<[string, unknown, boolean]>([
	[' status ', 'sent', true],
	['status', 'Sent', false],
	['status', ' sent\n', true],
	['status', 'delivered', true], // as _gateway names it
	['statusmessage', 'sent', false],
	['_gateway.status', 'delivered', true],
	['_gateway.status', 'sent', false],
	['_gateway.from', '+351912345678', true],
	['from', '+351912345678', true],
	['from', '00351912345678', true],
	['padded', 'x', true],
	[' form[0][id] ', 'y', true],
	['list[ 0 ].0', 'a', true],
	['long[10]', '10', true],
	['[0]', 'a', false],
	['.status', 'sent', true],
	['data . messages [1] . to', '56', true],
	['data.messages[1]to', '56', false],
	['count', '5', true],
	['count', 5, true],
	['ok', 'false', true],
	['nothing', 'null', false],
	['data.messages.1.to', '56', true],
	['data.messages.length', '2', true],
	['status.length', '4', false],
	['list.__proto__.length', '0', false],
	[' ', 'anything', false],
])('%s = %j: %s', (field, value, expected) => {
	expect(isMatch([{ field, value: value as string }])).toBe(expected);
});

test('all conditions must be met', () => {
	const status = { field: 'status', value: 'sent' };
	expect(isMatch([])).toBe(true);
	expect(isMatch([status, { field: 'count', value: '5' }])).toBe(true);
	expect(isMatch([status, { field: 'count', value: '6' }])).toBe(false);
});
