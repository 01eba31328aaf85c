import { getCountries } from 'libphonenumber-js/max';

import { parseCountries, parseDefaultCountry } from '../../../nodes/text/country';

test.each([
	...['55', '+55', '0055', ' 55 '].map((entered) => ({ entered, defaultCallingCode: '55' })),
	...['BR', 'br', ' Br '].map((entered) => ({
		entered,
		defaultCallingCode: '55',
		defaultCountry: 'BR',
	})),
	{ entered: '1', defaultCallingCode: '1' },
	{ entered: 'BS', defaultCallingCode: '1', defaultCountry: 'BS' },
	...['Brazil', ' brasil '].map((entered) => ({
		entered,
		defaultCallingCode: '55',
		defaultCountry: 'BR',
	})),
	...['Germany', 'Deutschland'].map((entered) => ({
		entered,
		defaultCallingCode: '49',
		defaultCountry: 'DE',
	})),
	...["Cote d'Ivoire", 'Côte d’Ivoire'].map((entered) => ({
		entered,
		defaultCallingCode: '225',
		defaultCountry: 'CI',
	})),
	...['Mexico', 'méxico'].map((entered) => ({
		entered,
		defaultCallingCode: '52',
		defaultCountry: 'MX',
	})),
	...['Japan', '日本'].map((entered) => ({
		entered,
		defaultCallingCode: '81',
		defaultCountry: 'JP',
	})),
	...['India', 'भारत'].map((entered) => ({
		entered,
		defaultCallingCode: '91',
		defaultCountry: 'IN',
	})),
	...['UK', 'United Kingdom'].map((entered) => ({
		entered,
		defaultCallingCode: '44',
		defaultCountry: 'GB',
	})),
])('%j is a country', ({ entered, ...home }) => expect(parseDefaultCountry(entered)).toEqual(home));

test.each(['', '0', '055', '5555', '999', '800', '1242', '55 ,', 'Brazi', 'BR PT', 'constructor'])(
	'%j is none',
	(entered) => expect(parseDefaultCountry(entered)).toBeUndefined(),
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

test.each(['included', 'Included', ' INCLUDED '])(
	'%j is no country, but a way to read',
	(entered) => expect(parseDefaultCountry(entered)).toBe('included'),
);
