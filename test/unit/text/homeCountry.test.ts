import { callingCodeOf, parseHomeCountry } from '../../../nodes/text/country';

test.each([
	...['55', '+55', '0055', ' 55 '].map((entered) => ({ entered, defaultCallingCode: '55' })),
	...['BR', 'br', ' Br '].map((entered) => ({ entered, defaultCountry: 'BR' })),
	{ entered: '1', defaultCallingCode: '1' },
])('%j is a country', ({ entered, ...home }) => expect(parseHomeCountry(entered)).toEqual(home));

test.each(['', '0', '055', '5555', '999', '800', '1242', '55 ,', 'Brazil', 'UK', 'constructor'])(
	'%j is none',
	(entered) => expect(parseHomeCountry(entered)).toBeUndefined(),
);

test('a country has one calling code', () => {
	expect(callingCodeOf({ defaultCountry: 'BS' })).toBe('1');
	expect(callingCodeOf({ defaultCallingCode: '55' })).toBe('55');
});
