import {
	localNumbers,
	parse,
	validatePhoneNumberLength,
	type PhoneNumber as Parsed,
} from './bundled/libphonenumber';
import { callingCodeOf, countriesOf, placeOf, type HomeCountry } from './country';

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

type NumberKind = (typeof kinds)[keyof typeof kinds];

/**
 * A number that messages can go to, or why not.
 *
 * `digits` are with the country code; a doubtful number has them if it is certain which are meant.
 */
export type PhoneNumber = NumberPlan & ({ digits: string; doubt?: undefined } | Doubtful);

interface Doubtful {
	digits?: string;
	doubt: Doubt;
	/** Of a number that does not exist: `is too short for Brazil (+55)`. */
	what?: string;
	/** What to do about this one, in a sentence. */
	why?: string;
}

export type Doubt =
	| (typeof lookalikes)[number][0]
	| (typeof refusedKinds)[number]
	| 'noNumber'
	| 'list'
	| 'noCountryCode'
	| 'noAreaCode'
	| 'noSuchNumber'
	| 'severalNumbers'
	| 'severalParts'
	| 'globalNetwork';

/**
 * Parses a phone number as people and chat apps write it. With `+` or `00` it is international.
 * Anything else is read in `home` alone, as it is dialed there or with its country code. What is
 * valid, libphonenumber's data decides.
 */
export function parsePhoneNumber(entered: string, home?: HomeCountry): PhoneNumber {
	if (entered.length > longestEntered) return { doubt: 'noNumber' };
	const text = inPlainCharacters(entered);
	const number = text.replace(internationalPrefix, '');
	const isInternational = number !== text;
	const doubt = doubtOf(text, number);
	if (doubt) return { doubt };
	// Neither 0 nor (0) begins a country code.
	if (isInternational && !/^\D*[1-9]/.test(number)) return { doubt: 'noCountryCode' };
	if (!isInternational && !home) {
		const abroad = parse(`+${digitsOf(number)}`, { extract: false });
		const place = abroad?.isValid() && placeOf(abroad.countryCallingCode);
		const why = place ? `With a + in front, it would be a number of ${place}.` : undefined;
		return { doubt: 'noCountryCode', why };
	}

	const plus = isInternational ? '+' : '';
	const whole = plus + digitsOf(number);
	const spellings = zeroInBrackets.test(number)
		? [whole, plus + digitsOf(number.replace(zeroInBrackets, ''))]
		: [whole];
	return decide(spellings, isInternational ? undefined : home);
}

/**
 * A number of an answer or a delivery with its +: the service has numbers in digits, country code first
 * (interface §2.2, §2.3). What is no such number is returned as it is.
 */
export function withPlus<T>(value: T): T | string {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText && /^[1-9]\d{7,14}$/.test(String(value)) ? `+${value}` : value;
}

/** Without marks of the writing direction, and what spreadsheets, links and chat apps put around it. */
function inPlainCharacters(entered: string): string {
	let text = inPlainDigits(entered);
	for (const [shape, number] of wrappings) text = text.replace(shape, number);
	return text;
}

/** Nothing but what every keyboard has. */
const inAscii = /^[\x20-\x7e]*$/;

const inPlainDigits = (entered: string): string => {
	if (inAscii.test(entered)) return entered.trim();
	return entered
		.replace(/\p{Cf}/gu, '')
		.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/[٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
		.replace(/\p{Pd}/gu, '-')
		.trim();
};

/** What a number stands in: a link, an address of a chat app, `Ana <+55 …>`. */
const wrappings: Array<[shape: RegExp, number: string]> = [
	[/^[^<>]{0,200}<([^<>]{1,50})>$/, '$1'],
	[/^['‘’]?\s*(?:tel:\s*)?/i, ''],
	[/^[a-z]+:\s*(?=\+)/i, ''],
	[/^https?:\/\/[^/?#\s]+\/\+?(\d+)\/?(?:\?.*)?$/i, '+$1'],
	[/^\+?(\d+)(?::\d+)?@(?:c\.us|s\.\w+\.net)$/i, '+$1'],
];

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** `+`, `00` or both, before the country code, and `+` before what has one; `(00)` is an area code that nobody entered. */
const internationalPrefix = /^(?!\(00\))\(?\p{Zs}*(?:\++\p{Zs}*(?:00)?|00)\p{Zs}*/u;

/** May be only for calls within the country, or may belong to the number. */
const zeroInBrackets = /\(\p{Zs}*0\p{Zs}*\)/u;

/** What is no phone number, or only seems to be one, by how it is written. @param number without its prefix */
function doubtOf(text: string, number: string): Doubt | undefined {
	if (isList(text)) return 'list';
	if (text.length > longest) return 'noNumber';
	for (const [doubt, shape] of lookalikes) if (shape.test(text)) return doubt;
	if (!characters.test(text)) return 'noNumber';
	return severalParts.test(number) ? 'severalParts' : undefined;
}

/** A slash also stands behind an area code; what else is between numbers is in none. */
const isList = (text: string): boolean =>
	(text.includes('/') && isSeveral(text, /\//, shortest + 1)) ||
	(!characters.test(text) &&
		isSeveral(text, /[,;|&\n]|\s(?:ou|or|o|oder|e|y|and|und)\s/i, shortest));

const isSeveral = (text: string, separator: RegExp, least: number): boolean =>
	text.split(separator).filter((part) => digitsOf(part).length >= least).length > 1;

/** Fewer digits are an extension or a part of a number. */
const shortest = 7;

/** Longest spelling of 15 digits. */
const longest = 50;

/** Longer texts, in characters, are not even looked at. */
const longestEntered = 1_000;

/** Digits and what people write between them; plus only in front. */
const characters = /^[(\p{Zs}]*\+*[(\p{Zs}]*\d(?:[\d\p{Zs}()./-]*[\d)])?$/u;

/** Values that look like numbers, and what stands in the place of one. */
const lookalikes = [
	['placeholder', /^\D*(\d)(?:\D*\1){6,}\D*$/],
	// Six digits of a number of twelve or more: 5.51191E+12, later read as 5511910000000. A number that
	// really ends so can still be written with spaces.
	['rounded', /^\+?(?:00)?[1-9](?:(?:[.,]\d+)?e\+?\d+|\d{5,}0{6})$/i],
	// A word or # behind a number, and few digits: ext. 12, x12, ramal 12.
	['extension', /^[^\p{L}\d]*(?:\d[^\p{L}\d#]*){7,}[\p{L}#]\D*\d{1,6}$/u],
	['formula', /^#[\p{L}/]+\d?[\p{L}/]*[!?]?$/u],
	['chatId', /^(?:[\d.:-]+@[a-z]+|\S+@g\.us)$/i],
	['email', /^[^\s@]+@[^\s@]+\.[a-z]+$/i],
	['decimals', /^(?!00)\d{7,}\.\d+$|\.\d$/],
	['date', /^(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}(?:\s+\d{1,2}(?:\.\d\d){1,2})?$/],
	[
		'date',
		/^(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d(?:\s+\d{1,2}(?:\.\d\d){1,2})?$/,
	],
	['ipAddress', /^(?=(?:.*\d{3}){2})(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
	['taxId', /^\d{3}\.\d{3}\.\d{3}-\d\d$/], // Brazil's CPF; a CNPJ counts as several parts
] as const;

/** Far back, brackets and slashes begin an extension or a second number. */
const severalParts = /(?:\d\D*){8}[()/]|[()/]\D*(?:\d\D*){0,3}$/;

/** @param spellings of one number: with `+`, or as dialed in `home` */
function decide(spellings: string[], home?: HomeCountry): PhoneNumber {
	const found = new Map<string, Valid>();
	for (const text of spellings) {
		const valid = read(text, home);
		if (valid) found.set(valid.number.number, valid);
	}
	const [only, ...others] = found.values();
	if (others.length > 0) {
		const shown = [only!, ...others].map(({ number }) => number.formatInternational());
		return { doubt: 'severalNumbers', why: `${shown.join(' or ')}.` };
	}
	const text = spellings.at(-1)!;
	const number = only?.number ?? parseExactly(text, home);
	if (number && isPlaceholder(number)) return { ...(only && planOf(only)), doubt: 'placeholder' };
	if (!only) return { ...(number && !home && planOf({ number })), ...whyNot(text, number, home) };
	const known = planOf(only);
	if (!known.country && only.number.isNonGeographic()) return { ...known, doubt: 'globalNetwork' };
	for (const doubt of refusedKinds) if (doubt === known.kind) return { ...known, doubt };
	return known;
}

const refusedKinds = ['premiumRate', 'sharedCost', 'tollFree'] as const;

const planOf = ({ number, type }: Partial<Valid> & Pick<Valid, 'number'>) => ({
	digits: number.number.slice(1),
	country: number.country,
	kind: type && kinds[type],
});

/** By the library's data: what is of some type is valid. */
interface Valid {
	number: Parsed;
	type: keyof typeof kinds;
}

/** The valid number. At home, if it is valid with the country code and without: the mobile, or else with. */
function read(text: string, home?: HomeCountry): Valid | undefined {
	const isWithCode = home && text.startsWith(callingCodeOf(home));
	const numbers = [isWithCode && parseExactly(`+${text}`), parseExactly(text, home)];
	const valid = numbers.flatMap((number) => {
		const type = number ? number.getType() : undefined;
		return number && type ? { number, type } : [];
	});
	return valid.find(({ type }) => type.includes('MOBILE')) ?? valid[0];
}

/** Never a number outside of `home`: that would be a prefix for calls abroad. */
function parseExactly(text: string, home?: HomeCountry): Parsed | undefined {
	const number = parse(text, { ...home, extract: false });
	return home && number?.countryCallingCode !== callingCodeOf(home) ? undefined : number;
}

/** Whether one digit is repeated, at least behind an area code. */
const isPlaceholder = ({ nationalNumber, countryCallingCode }: Parsed): boolean =>
	/(\d)\1{6}$/.test(nationalNumber) &&
	countriesOf(countryCallingCode)
		.flatMap((country) => [...Object.keys(localNumbers[country] ?? {}), nationalNumber.length])
		.some((length) => new RegExp(`(\\d)\\1{${Number(length) - 1}}$`).test(nationalNumber));

/** Why a number does not exist, by its numbering plan. */
function whyNot(text: string, number?: Parsed, home?: HomeCountry): Doubtful {
	const code = home ? callingCodeOf(home) : number?.countryCallingCode;
	const place = code ? placeOf(code) : 'a phone number';
	const change = number && changes.find(([before]) => before.test(number.number));
	const [whole, ...more] = number && !change ? withAreaCodes(number, home) : [];
	if (whole) {
		const ddd = code === '55' ? ' (DDD)' : '';
		const shown = home ? whole.formatNational() : whole.formatInternational();
		return {
			doubt: 'noAreaCode',
			why: `Write it with its area code${ddd}${more.length > 0 ? '' : `, e.g. ${shown}`}.`,
		};
	}
	const length = validatePhoneNumberLength(text, home);
	const wrong = length === 'TOO_SHORT' ? 'too short' : length === 'TOO_LONG' && 'too long';
	const what =
		code || wrong
			? `is ${(!change && wrong) || 'not a valid number'} for ${place}`
			: 'does not start with a country code';
	return { doubt: 'noSuchNumber', what, why: change?.[1] };
}

/** What becomes of a number by an area code of each country where so many digits are dialed without. */
const withAreaCodes = (number: Parsed, home?: HomeCountry): Parsed[] => {
	const { nationalNumber, countryCallingCode: code } = number;
	const countries = home && 'defaultCountry' in home ? [home.defaultCountry] : countriesOf(code);
	return countries.flatMap((country) => {
		const area = localNumbers[country]?.[nationalNumber.length];
		const whole = area && parse(`+${code}${area}${nationalNumber}`);
		return whole && whole.isValid() ? whole : [];
	});
};

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
