import {
	metadata,
	isSupportedCountry,
	getCountryCallingCode,
	getExampleNumber,
	examples,
	type CountryCode,
	type PhoneNumber,
} from './bundled';

/** The country of numbers without `+` or `00`, as libphonenumber takes it: several may share a calling code. */
export interface HomeCountry {
	defaultCallingCode: string;
	defaultCountry?: CountryCode;
}

/** How numbers without `+` or `00` are read; `included`: they are digits that begin with their country code. */
export type DefaultCountry = HomeCountry | 'included';

/** Returns the countries with a calling code, the largest first. */
const countriesOf = (code: string): CountryCode[] =>
	(metadata.country_calling_codes as Partial<Record<string, CountryCode[]>>)[code] ?? [];

/** Returns a name without what people leave out: `Côte d’Ivoire` → `cotedivoire` */
const inPlainLetters = (name: string): string =>
	name.normalize('NFKD').replace(/\P{L}/gu, '').toLowerCase();

/** The countries by their names in English and in the language that most people speak there. */
let countriesByName: Map<string, string> | undefined;

/** Finds a country by its two letters or its name. */
function countryOf(entered: string): CountryCode | undefined {
	const code = entered.trim().toUpperCase();
	if (isSupportedCountry(code)) return code;
	countriesByName ??= new Map(
		Object.keys(metadata.countries).flatMap((country) => {
			const { language } = new Intl.Locale(`und-${country}`).maximize();
			const names = [countryName(country, language), countryName(country, 'en', 'short')];
			return [...names, countryName(country)].map((name) => [inPlainLetters(name), country]);
		}),
	);
	return countriesByName.get(inPlainLetters(entered)) as CountryCode | undefined;
}

/** Parses `55`, `+55`, `0055`, `BR`, `Brazil`, `Brasil` or `included`. */
export function parseDefaultCountry(entered: string): DefaultCountry | undefined {
	if (entered.trim().toLowerCase() === 'included') return 'included';
	const code = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(entered.trim())?.[1];
	if (code) return countriesOf(code).length > 0 ? { defaultCallingCode: code } : undefined;
	const country = countryOf(entered);
	return country && { defaultCallingCode: getCountryCallingCode(country), defaultCountry: country };
}

/** Parses `BR PT` or `Brazil, United States`; undefined unless each entry is a country. */
export function parseCountries(entered: string): string[] | undefined {
	const countries = entered.split(/[,;\n]/).flatMap((part) => {
		const country = countryOf(part);
		return country ? [country] : part.split(/\s/).filter(Boolean).map(countryOf);
	});
	const known = countries.filter((country) => country !== undefined);
	return known.length > 0 && known.length === countries.length ? known : undefined;
}

const countryName = (country: string, language = 'en', style?: 'short'): string =>
	new Intl.DisplayNames(language, { type: 'region', style }).of(country) ?? country;

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
	return getExampleNumber(home?.defaultCountry ?? countriesOf(code)[0] ?? 'BR', examples)!;
}
