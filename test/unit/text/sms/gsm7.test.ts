import { isGsm7, measureSms } from '../../../../nodes/text/sms';
import { codes, escaped } from './standard';

const everyUnit = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

test('the standard has 127 characters, and ten more behind an escape', () => {
	expect(new Set(codes.values()).size).toBe(127);
	expect(new Set(escaped.values()).size).toBe(10);
});

test('what GSM-7 has is what the standard has', () => {
	const standard = [...codes.values(), ...escaped.values()];
	expect(everyUnit.filter(isGsm7).sort()).toEqual(standard.sort());
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
	expect(measureSms(text).outside).toBe(outside);
	expect(isGsm7(text)).toBe(outside === undefined);
});
