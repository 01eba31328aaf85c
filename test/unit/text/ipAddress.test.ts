import fc from 'fast-check';

import { contains, parseAddress, parseRange } from '../../../nodes/gateway/addresses';

test('nothing that is entered throws', () => {
	const close = fc.string({ unit: fc.constantFrom(...'0123456789abcdefg.:/%x- '), maxLength: 20 });
	fc.assert(
		fc.property(fc.oneof(close, fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
			const address = parseAddress(text);
			const range = parseRange(text);
			expect(address && contains(range!, address)).toBe(address && true);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	['192.0.2.0/24', '192.0.2.255', true],
	['192.0.2.0/24', '192.0.3.0', false],
	['192.0.2.77/24', '192.0.2.1', true],
	['0.0.0.0/0', '203.0.113.9', true],
	['192.0.2.7/32', '192.0.2.7', true],
	['192.0.2.7', '192.0.2.8', false],
	['::ffff:192.0.2.0/120', '192.0.2.9', true],
	['::ffff:192.0.2.0/120', '192.0.3.9', false],
	['192.0.2.0/24', '::ffff:192.0.2.9', true],
	['2001:db8::/32', '2001:DB8:1::5', true],
	['2001:db8::/33', '2001:db8:8000::5', false],
	['fe80::/10', 'fe80::1%eth0', true],
])('%s contains %s: %s', (range, address, expected) => {
	expect(contains(parseRange(range)!, parseAddress(address)!)).toBe(expected);
});

test.each([
	...['', '1.2.3', '127.1', '2130706433', '0x7f.0.0.1', '1.2.3.4.5', '256.0.0.1', '01.2.3.4'],
	...['1.2.3.4 ', '1:2:3:4:5:6:7', '1::2::3', ':::', '1:2:3:4::5:6:7:8', '192.0.2.7%eth0'],
	...['fe80::1%', 'fe80::1%eth 0', 'fe80::1%0 eth', 'fe80::1%eth0%eth1'],
])('%j is no address', (text) => expect(parseAddress(text)).toBeUndefined());

test.each(['1.2.3.4/33', '1.2.3.4/', '1.2.3.4/-1', '1.2.3.4/24/24', '::/129', 'x/8', '/8'])(
	'%j is no range',
	(text) => expect(parseRange(text)).toBeUndefined(),
);

test('spellings of one address', () => {
	expect(parseAddress('::ffff:192.0.2.7')).toEqual(parseAddress('192.0.2.7'));
	expect(parseAddress('::FFFF:c000:207')).toEqual(parseAddress('192.0.2.7'));
});

test('IPv4 and IPv6 never contain each other', () => {
	expect(contains(parseRange('::/0')!, parseAddress('192.0.2.7')!)).toBe(false);
	expect(contains(parseRange('0.0.0.0/0')!, parseAddress('2001:db8::1')!)).toBe(false);
	expect(contains(parseRange('::ffff:0:0/96')!, parseAddress('192.0.2.7')!)).toBe(true);
	expect(contains(parseRange('::ffff:192.0.2.7/95')!, parseAddress('192.0.2.7')!)).toBe(false);
});
