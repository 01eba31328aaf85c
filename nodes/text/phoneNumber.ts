import {
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	parse,
	validatePhoneNumberLength,
	type CountryCode,
	type PhoneNumber as ParsedNumber,
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
	'Enter a calling code, e.g. 55, or a country, e.g. BR, or leave it empty.';

export const callingCodeOf = (home: HomeCountry): string =>
	'defaultCountry' in home ? getCountryCallingCode(home.defaultCountry) : home.defaultCallingCode;

/** What the plan of a number's country says of it, where it says anything. */
export interface NumberPlan {
	/** ISO 3166, e.g. `BR`; none for numbers of no country, such as those of satellites. */
	country?: string;
	kind?: NumberKind;
}

/** By libphonenumber's names. In some countries a number does not tell a landline from a mobile. */
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

/** A number that is in use, or what keeps it from being told without a guess. */
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

/** What is no phone number, though it is written with the characters of one. */
const lookalikes: Array<[RegExp, Doubt]> = [
	[/^(?!00)\d+\.\d+$/, 'decimals'], // `+1.2025550143`, the way of domain registries, is none
	[/\.\d$/, 'decimals'],
	[/^(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}$/, 'date'],
	[/^(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d$/, 'date'],
	[/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/, 'ipAddress'],
	[/^\d{3}\.\d{3}\.\d{3}-\d\d$/, 'taxId'], // Brazil's CPF; the CNPJ has its slash too late
];

/** Behind a date: `31.12.2024 10.30`. */
const timeOfDay = /\p{Zs}+\d{1,2}(?:\.\d\d){1,2}$/u;

/** `+`, `00` or both, before the country code. */
const internationalPrefix = /^\(?\p{Zs}*(?:\+\p{Zs}*(?:00)?|00)\p{Zs}*/u;

/** Digits, with what people put between them; a plus only in front. */
const characters = /^[(\p{Zs}]*\+?[(\p{Zs}]*\d(?:[\d\p{Zs}()./\p{Pd}]*[\d)])?$/u;

/** A zero alone in brackets: it may be for calls from within the country, and may be the number's. */
const zeroInBrackets = /\(\p{Zs}*0\p{Zs}*\)/u;

/** Longer than anybody spells 15 digits. */
const longest = 50;

/**
 * Reads a phone number as people write it: with `+` or `00`, with its country code and nothing
 * before it, or as it is dialed in `home`. It is told if exactly one of these is a number that its
 * country has: libphonenumber's data decide.
 */
export function parsePhoneNumber(entered: string, home?: HomeCountry): PhoneNumber {
	const text = entered.replace(/\p{Cf}/gu, '').trim();
	if (isList(text)) return { doubt: 'list' };
	if (text.length > longest || !characters.test(text)) return { doubt: 'noNumber' };
	const plain = text.replace(/\p{Pd}/gu, '-').replace(timeOfDay, '');
	const lookalike = lookalikes.find(([shape]) => shape.test(plain));
	if (lookalike) return { doubt: lookalike[1] };

	const number = text.replace(internationalPrefix, '');
	// In front stand country and area alone; behind them an extension or a second number begins.
	if (/(?:\d\D*){8}[()/]/.test(number) || /[()/]\D*(?:\d\D*){0,3}$/.test(number)) {
		return { doubt: 'severalParts' };
	}
	const readings = readingsOf(number, number !== text, home);
	return readings.length === 0 ? { doubt: 'noCountryCode' } : decide(readings);
}

/** Fewer digits are an extension, or a part of a number. */
const shortest = 7;

const isList = (text: string): boolean =>
	text.split(/[,;|&\n]/).filter((part) => part.replace(/\D/g, '').length >= shortest).length > 1;

/** What a number may stand for. */
interface Reading {
	/** With `+` where it has its country code, else as it is dialed in `home`. */
	text: string;
	home?: HomeCountry;
}

function readingsOf(number: string, isInternational: boolean, home?: HomeCountry): Reading[] {
	// A 0 or brackets in front belong to the way to dial within a country.
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

/** Never a number of another country than `home`: a prefix for calls abroad would name one. */
function parseReading({ text, home }: Reading): ParsedNumber | undefined {
	const number = parse(text, { ...home, extract: false });
	return home && number?.countryCallingCode !== callingCodeOf(home) ? undefined : number;
}

/** `+51 991 234 567 (Peru)` */
const show = (number: ParsedNumber): string =>
	`${number.formatInternational()} (${number.country ? nameOf(number.country) : 'no country'})`;

/** Why there is no such number, as a sentence. */
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

/** `Brazil (+55)`; of a code that countries share, the code alone. */
function placeOf(code: string): string {
	const [country, ...others] = getCountries().filter((one) => getCountryCallingCode(one) === code);
	return country && others.length === 0 ? `${nameOf(country)} (+${code})` : `country code +${code}`;
}

const nameOf = (country: CountryCode): string | undefined =>
	new Intl.DisplayNames('en', { type: 'region' }).of(country);
