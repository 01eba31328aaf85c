// The libraries that the build bundles: a community node has no runtime dependencies.

export { default as ipaddr } from 'ipaddr.js';
export { types as mimeTypes } from 'mime-types';
// `max` accepts 5 % of example numbers with one digit lost or doubled, `min` 11 %, and `mobile` 4 %, but
// `mobile` refuses nearly all landlines.
export {
	default as parseOneNumber,
	getCountryCallingCode,
	getExampleNumber,
	isSupportedCountry,
	validatePhoneNumberLength,
	type CountryCode,
	type PhoneNumber,
} from 'libphonenumber-js/max';
export { default as metadata } from 'libphonenumber-js/metadata.max';
export { default as examples } from 'libphonenumber-js/mobile/examples';
export { zonesByPrefix } from '../../zoneTable'; // of libphonenumber
