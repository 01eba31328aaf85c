import { getCountries } from 'libphonenumber-js/max';

import { callingCodeOf, parseCountries, parseHomeCountry } from '../../../nodes/text/country';

test.each([
	...['55', '+55', '0055', ' 55 '].map((entered) => ({ entered, defaultCallingCode: '55' })),
	...['BR', 'br', ' Br '].map((entered) => ({ entered, defaultCountry: 'BR' })),
	{ entered: '1', defaultCallingCode: '1' },
	...['Brazil', ' brasil '].map((entered) => ({ entered, defaultCountry: 'BR' })),
	...['Germany', 'Deutschland'].map((entered) => ({ entered, defaultCountry: 'DE' })),
	...["Cote d'Ivoire", 'Côte d’Ivoire'].map((entered) => ({ entered, defaultCountry: 'CI' })),
	...['Mexico', 'méxico'].map((entered) => ({ entered, defaultCountry: 'MX' })),
	...['Japan', '日本'].map((entered) => ({ entered, defaultCountry: 'JP' })),
	...['India', 'भारत'].map((entered) => ({ entered, defaultCountry: 'IN' })),
	...['UK', 'United Kingdom'].map((entered) => ({ entered, defaultCountry: 'GB' })),
])('%j is a country', ({ entered, ...home }) => expect(parseHomeCountry(entered)).toEqual(home));

test.each(['', '0', '055', '5555', '999', '800', '1242', '55 ,', 'Brazi', 'BR PT', 'constructor'])(
	'%j is none',
	(entered) => expect(parseHomeCountry(entered)).toBeUndefined(),
);

test.each([
	['BR', ['BR']],
	['br PT;Peru', ['BR', 'PT', 'PE']],
	['Brazil, United States, Côte d’Ivoire,', ['BR', 'US', 'CI']],
	['Brasil\nPortugal', ['BR', 'PT']],
	['BR, Atlantis', undefined],
	[', ', undefined],
])('%j is a list of %j', (entered, countries) =>
	expect(parseCountries(entered)).toEqual(countries),
);

test('the English name of each country is its own', () => {
	const names = new Intl.DisplayNames('en', { type: 'region' });
	const wrong = getCountries().filter((country) => {
		const name = names.of(country)!;
		return parseCountries(name)?.[0] !== country;
	});
	expect(wrong).toEqual([]);
});

test('a country has one calling code', () => {
	expect(callingCodeOf({ defaultCountry: 'BS' })).toBe('1');
	expect(callingCodeOf({ defaultCallingCode: '55' })).toBe('55');
});
