import {
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	parse,
	validatePhoneNumberLength,
	type CountryCode,
	type PhoneNumber as ParsedNumber,
} from './bundled/libphonenumber';

/** The country of numbers without a country code. Countries may share a calling code. */
export type HomeCountry = { defaultCountry: CountryCode } | { defaultCallingCode: string };

const callingCodes = new Set<string>(
	getCountries().map((country) => getCountryCallingCode(country)),
);

/** Parses `55`, `+55`, `0055` or `BR`. */
export function parseHomeCountry(entered: string): HomeCountry | undefined {
	const country = entered.trim().toUpperCase();
	if (isSupportedCountry(country)) return { defaultCountry: country };
	const code = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(country)?.[1];
	return code && callingCodes.has(code) ? { defaultCallingCode: code } : undefined;
}

export const howToNameHomeCountry =
	'Enter a calling code, e.g. 55, or a country, e.g. BR, or leave it empty.';

export const callingCodeOf = (home: HomeCountry): string =>
	'defaultCountry' in home ? getCountryCallingCode(home.defaultCountry) : home.defaultCallingCode;

/** What is known from the numbering plan. */
export interface NumberPlan {
	/** ISO 3166, e.g. `BR`; none for satellite phones and the like. */
	country?: string;
	kind?: NumberKind;
}

/** By libphonenumber's names. Some countries' numbers do not distinguish landlines and mobiles. */
const kinds = {
	FIXED_LINE: 'landline',
	FIXED_LINE_OR_MOBILE: 'landlineOrMobile',
	MOBILE: 'mobile',
	PAGER: 'pager',
	PERSONAL_NUMBER: 'personal',
	PREMIUM_RATE: 'premiumRate',
	SHARED_COST: 'sharedCost',
	TOLL_FREE: 'tollFree',
	UAN: 'company',
	VOICEMAIL: 'voicemail',
	VOIP: 'voip',
} as const;

export type NumberKind = (typeof kinds)[keyof typeof kinds];

/** A valid number, or why it is not certain which one is meant. */
export type PhoneNumber =
	| ({ digits: string; doubt?: undefined } & NumberPlan)
	| { doubt: Doubt }
	| { doubt: 'severalNumbers'; readings: string[] }
	| { doubt: 'noSuchNumber'; reasons: string[] };

export type Doubt =
	| 'noNumber'
	| 'list'
	| 'noCountryCode'
	| 'severalParts'
	| 'decimals'
	| 'date'
	| 'ipAddress'
	| 'taxId';

/** Values of other kinds with the characters of phone numbers. */
const lookalikes: Array<[RegExp, Doubt]> = [
	[/^(?!00)\d+\.\d+$/, 'decimals'], // but not `+1.2025550143`, as domain registries write numbers
	[/\.\d$/, 'decimals'],
	[/^(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}$/, 'date'],
	[/^(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d$/, 'date'],
	[/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/, 'ipAddress'],
	[/^\d{3}\.\d{3}\.\d{3}-\d\d$/, 'taxId'], // Brazil's CPF; a CNPJ counts as several parts
];

/** After a date: `31.12.2024 10.30`. */
const timeOfDay = /\p{Zs}+\d{1,2}(?:\.\d\d){1,2}$/u;

/** `+`, `00` or both, before the country code. */
const internationalPrefix = /^\(?\p{Zs}*(?:\+\p{Zs}*(?:00)?|00)\p{Zs}*/u;

/** Digits and what people write between them; a plus only in front. */
const characters = /^[(\p{Zs}]*\+?[(\p{Zs}]*\d(?:[\d\p{Zs}()./\p{Pd}]*[\d)])?$/u;

/** May be only for calls within the country, or may belong to the number. */
const zeroInBrackets = /\(\p{Zs}*0\p{Zs}*\)/u;

/** Longest spelling of 15 digits. */
const longest = 50;

/**
 * Parses a phone number as people write it: with `+` or `00`, with just its country code, or as dialed
 * in `home`. Exactly one of these readings must be valid by libphonenumber's data.
 */
export function parsePhoneNumber(entered: string, home?: HomeCountry): PhoneNumber {
	const text = entered.replace(/\p{Cf}/gu, '').trim();
	if (isList(text)) return { doubt: 'list' };
	if (text.length > longest || !characters.test(text)) return { doubt: 'noNumber' };
	const plain = text.replace(/\p{Pd}/gu, '-').replace(timeOfDay, '');
	const lookalike = lookalikes.find(([shape]) => shape.test(plain));
	if (lookalike) return { doubt: lookalike[1] };

	const number = text.replace(internationalPrefix, '');
	// Further back, brackets and slashes begin an extension or a second number.
	if (/(?:\d\D*){8}[()/]/.test(number) || /[()/]\D*(?:\d\D*){0,3}$/.test(number)) {
		return { doubt: 'severalParts' };
	}
	const readings = readingsOf(number, number !== text, home);
	return readings.length === 0 ? { doubt: 'noCountryCode' } : decide(readings);
}

/** Fewer digits are an extension or a part of a number. */
const shortest = 7;

const isList = (text: string): boolean =>
	text.split(/[,;|&\n]/).filter((part) => part.replace(/\D/g, '').length >= shortest).length > 1;

interface Reading {
	/** With `+` and country code, or as dialed in `home`. */
	text: string;
	home?: HomeCountry;
}

function readingsOf(number: string, isInternational: boolean, home?: HomeCountry): Reading[] {
	// A leading 0 or bracket is for dialing within a country.
	const hasCountryCode = (isInternational ? /^\D*[1-9]/ : /^[1-9]/).test(number);
	const spellings = [number, number.replace(zeroInBrackets, '')];
	return [...new Set(spellings.map((spelling) => spelling.replace(/\D/g, '')))].flatMap(
		(digits) => [
			...(home && !isInternational ? [{ text: digits, home }] : []),
			...(hasCountryCode ? [{ text: `+${digits}` }] : []),
		],
	);
}

function decide(readings: Reading[]): PhoneNumber {
	const valid = new Map<string, ParsedNumber>();
	for (const reading of readings) {
		const number = parseReading(reading);
		if (number?.isValid()) valid.set(number.number, number);
	}
	const [only, ...others] = valid.values();
	if (!only) return { doubt: 'noSuchNumber', reasons: readings.map(reasonOf) };
	if (others.length > 0) return { doubt: 'severalNumbers', readings: [only, ...others].map(show) };
	const type = only.getType();
	return { digits: only.number.slice(1), country: only.country, kind: type && kinds[type] };
}

/** Never a number outside of `home`: that would be a prefix for calls abroad. */
function parseReading({ text, home }: Reading): ParsedNumber | undefined {
	const number = parse(text, { ...home, extract: false });
	return home && number?.countryCallingCode !== callingCodeOf(home) ? undefined : number;
}

/** `+51 991 234 567 (Peru)` */
const show = (number: ParsedNumber): string =>
	`${number.formatInternational()} (${number.country ? nameOf(number.country) : 'no country'})`;

function reasonOf({ text, home }: Reading): string {
	const code = home ? callingCodeOf(home) : parse(text, { extract: false })?.countryCallingCode;
	const place = code ? placeOf(code) : 'a phone number';
	switch (validatePhoneNumberLength(text, home)) {
		case 'INVALID_COUNTRY':
			return `${text} does not start with a country code.`;
		case 'TOO_SHORT':
			return `${text} is too short for ${place}.`;
		case 'TOO_LONG':
			return `${text} is too long for ${place}.`;
		default:
			return `${text} is not a valid number for ${place}.`;
	}
}

/** `Brazil (+55)`, or just the code if countries share it. */
function placeOf(code: string): string {
	const [country, ...others] = getCountries().filter((one) => getCountryCallingCode(one) === code);
	return country && others.length === 0 ? `${nameOf(country)} (+${code})` : `country code +${code}`;
}

const nameOf = (country: CountryCode): string | undefined =>
	new Intl.DisplayNames('en', { type: 'region' }).of(country);
