import { getCountries } from 'libphonenumber-js/max';

import { parseCountries, parseDefaultCountry } from '../../../nodes/text/country';

test.each<[string[], string, string | undefined]>([
	[['55', '+55', '0055', ' 55 '], '55', undefined],
	[['BR', 'br', ' Br ', 'Brazil', ' brasil '], '55', 'BR'],
	[['1'], '1', undefined],
	[['BS'], '1', 'BS'],
	[['Germany', 'Deutschland'], '49', 'DE'],
	[["Cote d'Ivoire", 'Côte d’Ivoire'], '225', 'CI'],
	[['Mexico', 'méxico'], '52', 'MX'],
	[['Japan', '日本'], '81', 'JP'],
	[['India', 'भारत'], '91', 'IN'],
	[['UK', 'United Kingdom'], '44', 'GB'],
])('%j have the code %s', (texts, defaultCallingCode, defaultCountry) => {
	const home = { defaultCallingCode, defaultCountry };
	for (const entered of texts)
		expect([entered, parseDefaultCountry(entered)]).toEqual([entered, home]);
});

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
