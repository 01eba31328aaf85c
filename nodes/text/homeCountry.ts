import {
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	type CountryCode,
} from './bundled/libphonenumber';

/** The country of numbers that do not name one: a calling code may be that of several. */
export type HomeCountry = { defaultCountry: CountryCode } | { defaultCallingCode: string };

const callingCodes = new Set<string>(
	getCountries().map((country) => getCountryCallingCode(country)),
);

/** Reads `55`, `+55`, `0055` or `BR`; undefined for what is no country. */
export function parseHomeCountry(entered: string): HomeCountry | undefined {
	const country = entered.trim().toUpperCase();
	if (isSupportedCountry(country)) return { defaultCountry: country };
	const code = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(country)?.[1];
	return code && callingCodes.has(code) ? { defaultCallingCode: code } : undefined;
}

/** What to enter instead of something that is none. */
export const howToNameHomeCountry =
	'Enter a calling code there, e.g. 55, or a country, e.g. BR, or leave it empty.';

export const callingCodeOf = (home: HomeCountry): string =>
	'defaultCountry' in home ? getCountryCallingCode(home.defaultCountry) : home.defaultCallingCode;
