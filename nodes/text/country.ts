import {
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	type CountryCode,
} from './bundled/libphonenumber';

/** The country of numbers without `+` or `00`. Countries may share a calling code. */
export type HomeCountry = { defaultCountry: CountryCode } | { defaultCallingCode: string };

/** By calling code: asking the library takes 50 µs. */
const countries = new Map<string, CountryCode[]>();
for (const country of getCountries()) {
	const code = getCountryCallingCode(country);
	countries.set(code, [...(countries.get(code) ?? []), country]);
}

/** Those with a calling code. */
export const countriesOf = (code: string): CountryCode[] => countries.get(code) ?? [];

/** Parses `55`, `+55`, `0055` or `BR`. */
export function parseHomeCountry(entered: string): HomeCountry | undefined {
	const country = entered.trim().toUpperCase();
	if (isSupportedCountry(country)) return { defaultCountry: country };
	const code = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(country)?.[1];
	return code && countries.has(code) ? { defaultCallingCode: code } : undefined;
}

export const callingCodeOf = (home: HomeCountry): string =>
	'defaultCountry' in home ? getCountryCallingCode(home.defaultCountry) : home.defaultCallingCode;

/** Parses `BR, PT`; undefined unless each entry is a country. */
export function parseCountries(entered: string): string[] | undefined {
	const countries = entered
		.toUpperCase()
		.split(/[\s,;]+/)
		.filter(Boolean);
	return countries.length > 0 && countries.every((one) => isSupportedCountry(one))
		? countries
		: undefined;
}

export const countryName = (country: string): string =>
	new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;

/** `Brazil (+55)`, or just the code if countries share it. */
export function placeOf(code: string): string {
	const [country, ...others] = countriesOf(code);
	return country && others.length === 0 ? nameWithCode(country) : `country code +${code}`;
}

/** `Peru (+51)` */
export const nameWithCode = (country: string): string =>
	`${countryName(country)} (+${getCountryCallingCode(country as CountryCode)})`;
