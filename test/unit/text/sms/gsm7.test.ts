import { firstOutside, isGsm7, septetsOf } from '../../../../nodes/text/sms';
import { codes, escaped } from './standard';

const everyUnit = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

test('the standard has 127 characters, and ten more behind an escape', () => {
	expect(new Set(codes.values()).size).toBe(127);
	expect(new Set(escaped.values()).size).toBe(10);
});

test.each([
	[1, codes],
	[2, escaped],
])('what takes %i septets is what the standard has there', (septets, table) => {
	const own = everyUnit.filter((character) => septetsOf(character) === septets);
	expect(own.sort()).toEqual([...table.values()].sort());
});

test.each([
	['', undefined],
	['Olé à ù ì ò Ç € [x]\n', undefined],
	['Opção á', 'ç'],
	['Olá', 'á'],
	['a\tb', '\t'],
	['Oi 😀!', '😀'],
	['e\u0301', '\u0301'],
])('the first character of %j that the alphabet lacks is %j', (text, outside) => {
	expect(firstOutside(text)).toBe(outside);
	expect(isGsm7(text)).toBe(outside === undefined);
});
