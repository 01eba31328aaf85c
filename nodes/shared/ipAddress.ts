/** An IP address as a number of 32 or 128 bits. */
interface Address {
	bits: 32 | 128;
	value: bigint;
}

/** All addresses that share their first `prefix` bits with `address`. */
export interface Range {
	address: Address;
	prefix: number;
}

/**
 * Reads `192.0.2.7` or `2001:db8::7`. An IPv4 address in IPv6 spelling (`::ffff:192.0.2.7`) is the
 * IPv4 address; a zone (`fe80::1%eth0`) is left out. Anything else is undefined.
 */
export function parseAddress(text: string): Address | undefined {
	const address = parseExactly(withoutZone(text));
	return address && unmap({ address, prefix: address.bits })?.address;
}

function withoutZone(text: string): string {
	const [address = '', zone = '', ...more] = text.split('%');
	const isZone = address.includes(':') && /^[\da-z]+$/i.test(zone) && more.length === 0;
	return isZone ? address : text;
}

/** Reads an address or a range in CIDR notation (`192.0.2.0/24`); anything else is undefined. */
export function parseRange(text: string): Range | undefined {
	const [base = '', length, ...more] = text.split('/');
	const address = parseExactly(base);
	if (!address || more.length > 0) return undefined;
	if (length === undefined) return unmap({ address, prefix: address.bits });
	if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > address.bits) return undefined;
	return unmap({ address, prefix: Number(length) });
}

/** Whether a range contains an address; one of IPv4 never contains one of IPv6. */
export function contains({ address: base, prefix }: Range, address: Address): boolean {
	const rest = BigInt(base.bits - prefix);
	return base.bits === address.bits && base.value >> rest === address.value >> rest;
}

function parseExactly(text: string): Address | undefined {
	const value = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
	return value === undefined ? undefined : { bits: text.includes(':') ? 128 : 32, value };
}

function parseIpv4(text: string): bigint | undefined {
	const parts = text.split('.');
	// No leading zeros: some systems read those as octal.
	const valid = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part));
	if (!valid || parts.some((part) => Number(part) > 255)) return undefined;
	return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | undefined {
	const [head = '', tail, ...more] = withoutIpv4Tail(text).split('::');
	if (more.length > 0) return undefined;
	const groups = (part = '') => (part === '' ? [] : part.split(':'));
	const before = groups(head);
	const after = groups(tail);
	const missing = 8 - before.length - after.length;
	if (tail === undefined ? missing !== 0 : missing < 1) return undefined;

	const all = [...before, ...Array<string>(missing).fill('0'), ...after];
	if (!all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
	return all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** `::ffff:192.0.2.7` → `::ffff:c000:207`; without a valid IPv4 tail the text as it is. */
function withoutIpv4Tail(text: string): string {
	const start = text.lastIndexOf(':') + 1;
	const value = parseIpv4(text.slice(start));
	if (value === undefined) return text;
	return `${text.slice(0, start)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

/** A range below `::ffff:0:0/96` as the range of IPv4 addresses that it stands for. */
function unmap(range: Range): Range {
	const { address, prefix } = range;
	if (address.bits === 32 || prefix < 96 || address.value >> 32n !== 0xffffn) return range;
	return { address: { bits: 32, value: address.value & 0xffff_ffffn }, prefix: prefix - 96 };
}
