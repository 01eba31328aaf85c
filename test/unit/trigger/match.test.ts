import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { matches } from '../../../nodes/MessagingGatewayTrigger/delivery/match';

const delivery = {
	status: 'sent',
	count: 5,
	ok: false,
	nothing: null,
	data: { messages: [{ to: '55' }, { to: '56' }], 'a.b': 'c' },
};

test.each<[string, unknown, boolean]>([
	['status', 'sent', true],
	[' status ', 'sent', true],
	['status', 'Sent', false],
	['status', '', false],
	['count', '5', true],
	['count', 5, true],
	['ok', 'false', true],
	['nothing', 'null', false],
	['nothing', '', false],
	['missing', '', false],
	['missing', 'undefined', false],
	['data.messages.1.to', '56', true],
	['data.messages.2.to', '56', false],
	['data.messages', '[object Object]', false],
	['data.messages.length', '2', true],
	['status.length', '4', false],
	['toString', 'x', false],
	['data.__proto__', 'x', false],
	['', 'anything', true],
])('%s = %j: %s', (field, value, expected) => {
	expect(matches(delivery, [{ field, value: value as string }])).toBe(expected);
});

test('all conditions must hold', () => {
	const status = { field: 'status', value: 'sent' };
	expect(matches(delivery, [])).toBe(true);
	expect(matches(delivery, [status, { field: 'count', value: '5' }])).toBe(true);
	expect(matches(delivery, [status, { field: 'count', value: '6' }])).toBe(false);
});

test('takes any delivery and any condition', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (json, field) => {
			expect(typeof matches(json as IDataObject, [{ field, value: 'x' }])).toBe('boolean');
		}),
	);
});
