/** Numbers of all countries, as libphonenumber has or makes them. */
import fc from 'fast-check';
import * as library from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';

/** An example of each country's mobiles. */
export const mobiles = library
	.getCountries()
	.map((country) => library.getExampleNumber(country, examples)!);

/** In the order of the library's patterns: see its `source/metadata.js`. */
const types = [
	...['landline', 'mobile', 'tollFree', 'premiumRate', 'personal', 'voicemail', 'company'],
	...['pager', 'voip', 'sharedCost'],
];

/** So many numbers of a type in each country that has it: the library has examples of mobiles alone. */
export const numbersOfType = (type: string, count: number): library.PhoneNumber[] =>
	library.getCountries().flatMap((country) => {
		const patterns = (metadata.countries[country] as unknown[])[11] as Array<[string]> | undefined;
		const pattern = patterns?.[types.indexOf(type)]?.[0];
		if (!pattern) return [];
		const code = library.getCountryCallingCode(country);
		return fc
			.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), {
				numRuns: Math.max(20, 2 * count),
				seed: 1,
			})
			.map((digits) => library.default(`+${code}${digits}`, { extract: false }))
			.filter((number) => number !== undefined)
			.filter((number) => number.country === country && number.isValid())
			.slice(0, count);
	});
