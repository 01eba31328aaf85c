import {
	parse,
	validatePhoneNumberLength,
	type PhoneNumber as Parsed,
} from './bundled/libphonenumber';
import { callingCodeOf, placeOf, type HomeCountry } from './country';

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

/**
 * A number that messages can go to, or why not.
 *
 * `digits` are with the country code; a doubtful number has them if it is certain which are meant.
 */
export type PhoneNumber = NumberPlan &
	({ digits: string; doubt?: undefined } | { digits?: string; doubt: Doubt; why?: string });

export type Doubt =
	| 'noNumber'
	| 'list'
	| 'noCountryCode'
	| 'noSuchNumber'
	| 'severalNumbers'
	| 'severalParts'
	| 'extension'
	| 'rounded'
	| 'decimals'
	| 'date'
	| 'ipAddress'
	| 'taxId'
	| 'premiumRate'
	| 'sharedCost'
	| 'globalNetwork';

/**
 * Parses a phone number as people write it. With `+` or `00` it is international. Anything else is
 * read in `home` alone, as it is dialed there or with its country code. What is valid,
 * libphonenumber's data decides.
 */
export function parsePhoneNumber(entered: string, home?: HomeCountry): PhoneNumber {
	const text = inPlainCharacters(entered);
	const number = text.replace(internationalPrefix, '');
	const isInternational = number !== text;
	const doubt = doubtOf(text, number);
	if (doubt) return { doubt };
	// Neither 0 nor (0) begins a country code.
	if (isInternational ? !/^\D*[1-9]/.test(number) : !home) return { doubt: 'noCountryCode' };

	const spellings = [...new Set([number, number.replace(zeroInBrackets, '')].map(digitsOf))];
	return isInternational
		? decide(spellings.map((digits) => `+${digits}`))
		: decide(spellings, home);
}

/** Without marks of the writing direction, and what spreadsheets and links put in front. */
const inPlainCharacters = (entered: string): string =>
	entered
		.replace(/\p{Cf}/gu, '')
		.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/[٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
		.replace(/\p{Pd}/gu, '-')
		.trim()
		.replace(/^['‘’]?\s*(?:tel:\s*)?/i, '');

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** `+`, `00` or both, before the country code. */
const internationalPrefix = /^\(?\p{Zs}*(?:\+\p{Zs}*(?:00)?|00)\p{Zs}*/u;

/** May be only for calls within the country, or may belong to the number. */
const zeroInBrackets = /\(\p{Zs}*0\p{Zs}*\)/u;

/** What is no phone number, or only seems to be one, by how it is written. @param number without its prefix */
function doubtOf(text: string, number: string): Doubt | undefined {
	if (isList(text)) return 'list';
	if (text.length > longest) return 'noNumber';
	if (extension.test(text)) return 'extension';
	if (rounded.test(text)) return 'rounded';
	if (!characters.test(text)) return 'noNumber';
	const withoutTime = text.replace(timeOfDay, '');
	const lookalike = lookalikes.find(([, shape]) => shape.test(withoutTime));
	return lookalike?.[0] ?? (severalParts.test(number) ? 'severalParts' : undefined);
}

/** Fewer digits are an extension or a part of a number. */
const shortest = 7;

const isList = (text: string): boolean =>
	text.split(/[,;|&\n]/).filter((part) => digitsOf(part).length >= shortest).length > 1;

/** Longest spelling of 15 digits. */
const longest = 50;

/** A word or `#` behind a number, and few digits: `ext. 12`, `x12`, `ramal 12`. */
const extension = /^[^\p{L}\d]*(?:\d[^\p{L}\d#]*){7,}[\p{L}#]\D*\d{1,6}$/u;

/**
 * Spreadsheets show six digits of a number of twelve or more: `5.51191E+12`, later read as 5511910000000.
 * A number that really ends so can still be written with spaces.
 */
const rounded = /^\+?(?:00)?[1-9](?:(?:[.,]\d+)?e\+?\d+|\d{5,}0{6})$/i;

/** Digits and what people write between them; a plus only in front. */
const characters = /^[(\p{Zs}]*\+?[(\p{Zs}]*\d(?:[\d\p{Zs}()./-]*[\d)])?$/u;

/** After a date: `31.12.2024 10.30`. */
const timeOfDay = /\p{Zs}+\d{1,2}(?:\.\d\d){1,2}$/u;

/** Values of other kinds with the characters of phone numbers. */
const lookalikes: Array<[Doubt, RegExp]> = [
	['decimals', /^(?!00)\d{7,}\.\d+$|\.\d$/],
	['date', /^(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}$/],
	['date', /^(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d$/],
	['ipAddress', /^(?=(?:.*\d{3}){2})(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
	['taxId', /^\d{3}\.\d{3}\.\d{3}-\d\d$/], // Brazil's CPF; a CNPJ counts as several parts
];

/** Far back, brackets and slashes begin an extension or a second number. */
const severalParts = /(?:\d\D*){8}[()/]|[()/]\D*(?:\d\D*){0,3}$/;

/** @param spellings of one number: with `+`, or as dialed in `home` */
function decide(spellings: string[], home?: HomeCountry): PhoneNumber {
	const readings = spellings.map((text) => read(text, home)).filter((found) => found !== undefined);
	const [only, ...others] = new Map(readings.map((found) => [found.number, found])).values();
	if (others.length > 0) {
		const shown = [only!, ...others].map((found) => found.formatInternational());
		return { doubt: 'severalNumbers', why: `${shown.join(' or ')}.` };
	}
	if (!only) {
		const text = spellings.at(-1)!;
		const abroad = home ? undefined : parseExactly(text);
		return { ...(abroad && planOf(abroad)), doubt: 'noSuchNumber', why: reasonOf(text, home) };
	}
	const known = planOf(only);
	if (only.isNonGeographic()) return { ...known, doubt: 'globalNetwork' };
	const { kind } = known;
	return kind === 'premiumRate' || kind === 'sharedCost' ? { ...known, doubt: kind } : known;
}

const planOf = (number: Parsed) => {
	const type = number.getType();
	return { digits: number.number.slice(1), country: number.country, kind: type && kinds[type] };
};

/** The valid number. At home, if it is valid with the country code and without: the mobile, or else with. */
function read(text: string, home?: HomeCountry): Parsed | undefined {
	const withCode =
		home && text.startsWith(callingCodeOf(home)) ? parseExactly(`+${text}`) : undefined;
	const valid = [withCode, parseExactly(text, home)].filter((number) => number?.isValid());
	return valid.find((number) => number?.getType()?.includes('MOBILE')) ?? valid[0];
}

/** Never a number outside of `home`: that would be a prefix for calls abroad. */
function parseExactly(text: string, home?: HomeCountry): Parsed | undefined {
	const number = parse(text, { ...home, extract: false });
	return home && number?.countryCallingCode !== callingCodeOf(home) ? undefined : number;
}

function reasonOf(text: string, home?: HomeCountry): string {
	const number = parse(text, { ...home, extract: false });
	const changed = number && changes.find(([before]) => before.test(number.number));
	if (changed) return changed[1];
	const code = home ? callingCodeOf(home) : number?.countryCallingCode;
	const length = validatePhoneNumberLength(text, home);
	const wrong = length === 'TOO_SHORT' ? 'too short' : length === 'TOO_LONG' && 'too long';
	if (!code && !wrong) return `${text} does not start with a country code.`;
	const reason = `${text} is ${wrong || 'not a valid number'} for ${code ? placeOf(code) : 'a phone number'}.`;
	return home ? `${reason} Write numbers of other countries with +.` : reason;
}

/** What people still have in their lists: numbers as they were before their country changed them. */
const changes: Array<[RegExp, string]> = [
	[
		/^\+55[1-9]{2}[6-9]\d{7}$/,
		'Mobile numbers in Brazil have nine digits since 2016: put a 9 before the last eight.',
	],
	[/^\+521\d{10}$/, 'Mexico dropped the 1 after +52 in 2019: leave it out.'],
	[
		/^\+225\d{8}$/,
		"Numbers in Côte d'Ivoire have ten digits since 2021: the old one begins with two more, such as 01, 05 or 07.",
	],
];
