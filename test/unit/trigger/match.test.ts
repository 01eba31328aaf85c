import { matches } from '../../../nodes/MessagingGatewayTrigger/delivery/shape';

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
	statusmessage: 'delivered',
};

test('a condition that is no text matches nothing, and breaks nothing', () => {
	const none = { toString: 1, valueOf: 1 } as never;
	expect(matches(delivery, [{ field: none, value: 'sent' }])).toBe(false);
	expect(matches(delivery, [{ field: 'status', value: none }])).toBe(false);
});

test.each<[string, unknown, boolean]>([
	[' status ', 'sent', true],
	['status', 'Sent', false],
	['status', ' sent\n', true],
	['status', 'delivered', true], // as _gateway names it
	['statusmessage', 'sent', false],
	['_gateway.status', 'delivered', true],
	['_gateway.status', 'sent', false],
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
	[' ', 'anything', true],
])('%s = %j: %s', (field, value, expected) => {
	expect(matches(delivery, [{ field, value: value as string }])).toBe(expected);
});

test('all conditions must be met', () => {
	const status = { field: 'status', value: 'sent' };
	expect(matches(delivery, [])).toBe(true);
	expect(matches(delivery, [status, { field: 'count', value: '5' }])).toBe(true);
	expect(matches(delivery, [status, { field: 'count', value: '6' }])).toBe(false);
});
