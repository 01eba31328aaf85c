import {
	examples,
	getCountryCallingCode,
	getExampleNumber,
	isSupportedCountry,
	metadata,
	type CountryCode,
	type PhoneNumber,
} from './bundled';

/** The country of numbers without `+` or `00`. Countries may share a calling code. */
export type HomeCountry = { defaultCountry: CountryCode } | { defaultCallingCode: string };

/** Returns the countries with a calling code, the largest first. */
const countriesOf = (code: string): CountryCode[] =>
	(metadata.country_calling_codes as Partial<Record<string, CountryCode[]>>)[code] ?? [];

/** Parses `55`, `+55`, `0055` or `BR`. */
export function parseHomeCountry(entered: string): HomeCountry | undefined {
	const country = entered.trim().toUpperCase();
	if (isSupportedCountry(country)) return { defaultCountry: country };
	const code = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(country)?.[1];
	return code && countriesOf(code).length > 0 ? { defaultCallingCode: code } : undefined;
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

const countryName = (country: string): string =>
	new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;

/** Returns `Brazil (+55)`, or just the code if countries share it. */
export function placeOf(code: string): string {
	const [country, ...others] = countriesOf(code);
	return country && others.length === 0 ? nameWithCode(country) : `country code +${code}`;
}

/** Returns `Peru (+51)`. */
export const nameWithCode = (country: string): string =>
	`${countryName(country)} (+${getCountryCallingCode(country as CountryCode)})`;

/** Returns the library's example of a mobile number with this calling code, or of the home country. */
export function exampleOf(code: string, home?: HomeCountry): PhoneNumber {
	const country = home && 'defaultCountry' in home ? home.defaultCountry : countriesOf(code)[0];
	return getExampleNumber(country ?? 'BR', examples)!;
}
