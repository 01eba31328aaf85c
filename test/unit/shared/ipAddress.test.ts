import fc from 'fast-check';
import * as ipaddr from 'ipaddr.js';

import { contains, parseAddress, parseRange } from '../../../nodes/shared/ipAddress';

const ipv4 = fc.ipV4();
const ipv6 = fc.oneof(
	// ipaddr.js takes `::192.0.2.7`, long deprecated, for the IPv4 address; the standard does not.
	fc.ipV6().filter((text) => !/^::\d+\.\d+\.\d+\.\d+$/.test(text)),
	fc
		.uint8Array({ minLength: 16, maxLength: 16 })
		.map((bytes) => ipaddr.fromByteArray([...bytes]).toString()),
	ipv4.map((address) => `::ffff:${address}`),
	ipv4.map((address) => `64:ff9b::${address}`),
);
const address = fc.oneof(ipv4, ipv6);
const valueOf = (bytes: number[]) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** What `ipaddr.js` says: an IPv4-mapped IPv6 address is the IPv4 address. */
const reference = (text: string) => {
	const bytes = ipaddr.process(text).toByteArray();
	return { bits: bytes.length * 8, value: valueOf(bytes) };
};

test('every address reads as ipaddr.js reads it', () => {
	fc.assert(
		fc.property(address, (text) => {
			expect(parseAddress(text)).toEqual(reference(text));
			expect(parseAddress(text.toUpperCase())).toEqual(reference(text));
		}),
	);
});

test('a range contains what ipaddr.js finds in it', () => {
	const near = fc
		.tuple(address, fc.nat(127), fc.nat(128))
		.map(([text, flip, length]) => {
			const bytes = ipaddr.parse(text).toByteArray();
			const bits = bytes.length * 8;
			const bit = flip % bits; // differs from the first in one bit, so that it is often inside
			bytes[bit >> 3]! ^= 0x80 >> (bit & 7);
			return [text, ipaddr.fromByteArray(bytes).toString(), length % (bits + 1)] as const;
		})
		.filter(([text, other]) => ipaddr.process(text).kind() === ipaddr.process(other).kind());
	fc.assert(
		fc.property(near, ([text, other, length]) => {
			const base = ipaddr.parse(text);
			const mapped = base.kind() === 'ipv6' && (base as ipaddr.IPv6).isIPv4MappedAddress();
			fc.pre(!mapped || length >= 96);
			const expected = ipaddr
				.process(other)
				.match(ipaddr.process(text), mapped ? length - 96 : length);
			expect(contains(parseRange(`${text}/${length}`)!, parseAddress(other)!)).toBe(expected);
		}),
		{ numRuns: 2000 },
	);
});

test('an address alone is a range of one', () => {
	fc.assert(
		fc.property(address, address, (a, b) => {
			expect(contains(parseRange(a)!, parseAddress(a)!)).toBe(true);
			const same =
				ipaddr.process(a).toNormalizedString() === ipaddr.process(b).toNormalizedString();
			expect(contains(parseRange(a)!, parseAddress(b)!)).toBe(same);
		}),
	);
});

test('what ipaddr.js takes for no address is none here', () => {
	const close = fc.string({ unit: fc.constantFrom(...'0123456789abcdefg.:/%x- '), maxLength: 20 });
	fc.assert(
		fc.property(fc.oneof(close, fc.string()), (text) => {
			const strict = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
			if (!strict) expect(parseAddress(text)).toBeUndefined();
			parseRange(text); // never throws
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	'',
	'1.2.3',
	'1.2.3.4.5',
	'256.0.0.1',
	'01.2.3.4',
	'1.2.3.4 ',
	'1:2:3:4:5:6:7',
	'1::2::3',
	':::',
	'1:2:3:4::5:6:7:8',
	'192.0.2.7%eth0',
	'fe80::1%',
	'fe80::1%eth 0',
	'fe80::1%0 eth',
	'fe80::1%eth0%eth1',
])('%j is no address', (text) => expect(parseAddress(text)).toBeUndefined());

test.each([
	'1.2.3.4/33',
	'1.2.3.4/',
	'1.2.3.4/08',
	'1.2.3.4/-1',
	'1.2.3.4/24/24',
	'::/129',
	'x/8',
	'/8',
])('%j is no range', (text) => expect(parseRange(text)).toBeUndefined());

test('spellings of one address', () => {
	expect(parseAddress('::ffff:192.0.2.7')).toEqual(parseAddress('192.0.2.7'));
	expect(parseAddress('::FFFF:c000:207')).toEqual(parseAddress('192.0.2.7'));
	expect(parseAddress('fe80::1%eth0')).toEqual(parseAddress('FE80:0:0:0:0:0:0:1'));
});

test('IPv4 and IPv6 never contain each other', () => {
	expect(contains(parseRange('::/0')!, parseAddress('192.0.2.7')!)).toBe(false);
	expect(contains(parseRange('0.0.0.0/0')!, parseAddress('2001:db8::1')!)).toBe(false);
	expect(contains(parseRange('::ffff:0:0/96')!, parseAddress('192.0.2.7')!)).toBe(true);
	expect(contains(parseRange('::ffff:192.0.2.7/95')!, parseAddress('192.0.2.7')!)).toBe(false);
});
