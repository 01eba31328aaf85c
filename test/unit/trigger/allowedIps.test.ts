import { findInvalidEntry, isAllowed } from '../../../nodes/gateway/addresses';

test.each<[unknown, string | undefined, boolean]>([
	['', '192.0.2.7', false],
	[undefined, undefined, false],
	[null, '192.0.2.7', false],
	[' ,; \n', '192.0.2.7', false],
	['192.0.2.7', '192.0.2.7', true],
	['192.0.2.7', '::ffff:192.0.2.7', true],
	['10.0.0.0/8,2001:db8::/32', '2001:db8::7', true],
	['10.0.0.0/8\n192.0.2.0/24', '192.0.2.255', true],
	[['10.0.0.1', '10.0.0.2'], '10.0.0.2', true],
	['203.0.113.7', '203.0.113.7:51234', true],
	['2001:db8::1', '[2001:db8::1]:443', true],
	['2001:db8::1', '[2001:db8::1]', true],
	['2001:db8::1', '2[001:db8::1]:443', false],
	['2001:db8::1', '[2001:db8::]1', false],
	['192.0.2.7', '::ffff:192.0.2.7:51234', false],
	['192.0.2.7', '192.0.2:5.7', false],
	['fe80::/10', 'fe80::1%en-0.1', true],
	['10.0.0.1', '10.0.0.1%', false],
	['nonsense', '192.0.2.7', false],
	[{ toString: 1, valueOf: 1 }, '192.0.2.7', false],
	['nonsense 192.0.2.7', '192.0.2.7', true],
	['0.0.0.0/0', 'nonsense', false],
])('%j and %s: %s', (list, ip, expected) => {
	expect(isAllowed(list, ip)).toBe(expected);
});

test('names the first entry that is no address', () => {
	expect(findInvalidEntry('10.0.0.1, 10.0.0.0/8')).toBeUndefined();
	expect(findInvalidEntry('')).toBeUndefined();
	expect(findInvalidEntry('10.0.0.1, example.com, 1.2.3')).toBe('example.com');
});
