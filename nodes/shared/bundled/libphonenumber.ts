/**
 * What is used of `libphonenumber-js`: one copy for all nodes, which the build bundles in place of
 * the import. `max` knows which numbers of each country exist, by type; less of it would let wrong
 * ones through (`min`) or refuse landlines (`mobile`).
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
