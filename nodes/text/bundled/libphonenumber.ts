import numbers from './localNumbers.json';

/**
 * `libphonenumber-js`, which the build bundles. Of example numbers with one digit lost or doubled,
 * `max` accepts 5 %, `min` 11 %, and `mobile` 4 %, but `mobile` refuses nearly all landlines.
 */
export {
	default as parse,
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	validatePhoneNumberLength,
	type CountryCode,
	type PhoneNumber,
} from 'libphonenumber-js/max';

/**
 * What that library leaves out of Google's data: by country, how many digits are dialed without an area
 * code, each with an area code, that of Google's example.
 */
export const localNumbers: Partial<Record<string, Partial<Record<string, string>>>> = numbers;
