import { parseOneNumber, validatePhoneNumberLength, type PhoneNumber as Parsed } from './bundled';
import { callingCodeOf, exampleOf, nameWithCode, placeOf, type HomeCountry } from './country';

/** libphonenumber's types of numbers. Some countries' numbers do not distinguish landlines and mobiles. */
const numberKinds = {
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

type NumberKind = (typeof numberKinds)[keyof typeof numberKinds] | 'globalNetwork';

/** Says what the numbering plan knows of a number. */
export interface NumberPlan {
	/** ISO 3166, e.g. `BR`; none for satellite phones and the like. */
	country?: string;
	kind?: NumberKind;
}

/** Why messages do not go to a number, for people: `is too short for Brazil (+55)`, and what to do. */
interface NumberProblem {
	what: string;
	hint: string;
}

export interface PhoneNumber extends NumberPlan {
	/** The country code and the number, where such a number exists. */
	digits?: string;
	problem?: NumberProblem;
}

/**
 * Parses a phone number as people and chat apps write it. With `+` or `00` it is international.
 * Anything else is read in `home` alone, as it is dialed there or with its country code. What is
 * valid, libphonenumber's data decides.
 */
export function parsePhoneNumber(entered: string, home?: HomeCountry): PhoneNumber {
	if (entered.length > longestEnteredNumber) return { problem: noNumber(home) };
	const text = normalize(entered);
	const number = text.replace(internationalPrefix, '');
	const problem = problemOfShape(text, number, home);
	if (problem) return { problem };
	const digits = digitsOf(number);
	const isInternational = number !== text;
	const hasCountry = isInternational ? !digits.startsWith('0') : home !== undefined;
	if (!hasCountry) return { problem: noCountryCode };

	const plus = isInternational ? '+' : '';
	const whole = plus + digits;
	const spellings = zeroInBrackets.test(number)
		? [whole, plus + digitsOf(number.replace(zeroInBrackets, ''))]
		: [whole];
	return chooseReading(spellings, isInternational ? undefined : home);
}

/**
 * Returns why messages of a channel should not go to a number that exists: it is dear or only for calls,
 * or, for SMS, cannot show them.
 */
export function objectionTo(
	{ digits = '', country, kind }: PhoneNumber,
	channel: 'chatApp' | 'sms',
): NumberProblem | undefined {
	const name = kind && (notForMessages[kind] ?? (channel === 'sms' ? withoutSms[kind] : undefined));
	if (!name) return undefined;
	const mobile = country === 'AR' ? readValid(`+549${digits.slice(2)}`) : undefined;
	return {
		what: `is ${name}${country ? ` of ${nameWithCode(country)}` : ''}`,
		hint: mobile
			? `If it is a mobile, enter it with its 9: ${mobile.number.formatInternational()}.`
			: 'Enter a mobile number.',
	};
}

type KindNames = Partial<Record<NumberKind, string>>;

const notForMessages: KindNames = {
	globalNetwork: 'a number of a satellite or global network',
	premiumRate: 'a premium-rate number',
	sharedCost: 'a shared-cost number',
	tollFree: 'a toll-free number',
};

const withoutSms: KindNames = {
	company: 'a company number',
	landline: 'a landline',
	pager: 'a pager',
	voicemail: 'a voicemail number',
};

/**
 * Returns a number of an answer or a delivery with its +: the service has numbers in digits, country
 * code first (interface §2.2, §2.3). What is no such number is returned as it is.
 */
export function withPlus<T>(value: T): T | string {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText && /^[1-9]\d{7,14}$/.test(String(value)) ? `+${value}` : value;
}

/** Removes marks of the writing direction, and what spreadsheets, links and chat apps put around a number. */
function normalize(entered: string): string {
	let text = entered
		.replace(/\p{Cf}/gu, '')
		.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/[٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
		.replace(/\p{Pd}/gu, '-')
		.trim();
	for (const [shape, number] of wrappings) text = text.replace(shape, number);
	return text;
}

/** Matches what a number stands in: a link, an address of a chat app, `Ana <+55 …>`. */
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

/** Matches a zero that is only for calls within the country, or belongs to the number. */
const zeroInBrackets = /\(\p{Zs}*0\p{Zs}*\)/u;

/** Finds what is no phone number by how it is written. @param number without its prefix */
function problemOfShape(
	text: string,
	number: string,
	home?: HomeCountry,
): NumberProblem | undefined {
	if (isList(text)) return listProblem;
	if (text.length > longestSpelling) return noNumber(home);
	if (roundedShape.test(text)) return roundedProblem;
	const isNumber =
		numberCharacters.test(text) &&
		!severalParts.test(number) &&
		!lookalikes.some((shape) => shape.test(text));
	return isNumber ? undefined : noNumber(home);
}

/** A slash also stands behind an area code; what else is between numbers is in none. */
const isList = (text: string): boolean =>
	(text.includes('/') && hasSeveralNumbers(text, /\//, fewestDigits + 1)) ||
	(!numberCharacters.test(text) &&
		hasSeveralNumbers(text, /[,;|&\n]|\s(?:ou|or|o|oder|e|y|and|und)\s/i, fewestDigits));

const hasSeveralNumbers = (text: string, separator: RegExp, least: number): boolean =>
	text.split(separator).filter((part) => digitsOf(part).length >= least).length > 1;

/** The fewest digits of a number: fewer are an extension or a part of one. */
const fewestDigits = 7;

/** The longest spelling of 15 digits, in characters. */
const longestSpelling = 50;

/** Longer texts, in characters, are not even looked at: none of the expressions here meets more. */
const longestEnteredNumber = 1_000;

/** Digits and what people write between them; plus only in front. */
const numberCharacters = /^[(\p{Zs}]*\+*[(\p{Zs}]*\d(?:[\d\p{Zs}()./-]*[\d)])?$/u;

/**
 * Six zeros behind six digits or more: 5.51191E+12, later read as 5511910000000. A number that really
 * ends so can still be written with spaces.
 */
const roundedShape = /^\+?(?:00)?[1-9](?:(?:[.,]\d+)?e\+?\d+|\d{5,}0{6})$/i;

/** Values that could be read as somebody's number. */
const lookalikes = [
	/^(?!00)\d{7,}\.\d+$|\.\d$/, // decimals
	/^(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}(?:\s+\d{1,2}(?:\.\d\d){1,2})?$/, // dates
	/^(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d(?:\s+\d{1,2}(?:\.\d\d){1,2})?$/,
	/^(?=(?:.*\d{3}){2})(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/, // IP addresses
	/^\d{3}\.\d{3}\.\d{3}-\d\d$/, // Brazil's CPF; a CNPJ counts as several parts
];

/** Far back, brackets and slashes begin an extension or a second number. */
const severalParts = /(?:\d\D*){8}[()/]|[()/]\D*(?:\d\D*){0,3}$/;

/** @param spellings of one number: with `+`, or as dialed in `home` */
function chooseReading(spellings: string[], home?: HomeCountry): PhoneNumber {
	const readings = spellings.flatMap((text) => readValid(text, home) ?? []);
	const [found] = readings;
	const text = spellings.at(-1)!;
	// Chat apps and exports leave out the + of numbers abroad: no landline at home is meant by those.
	const abroad = home && found && !isMobile(found) ? readValid(`+${text}`) : undefined;
	if (abroad && isMobile(abroad)) readings.push(abroad);
	const numbers = new Map(readings.map(({ number }) => [number.number, number]));
	if (numbers.size > 1) return { problem: severalNumbers([...numbers.values()]) };
	const number = found?.number ?? parseWhole(text, home);
	const known = found && planOf(found);
	if (number && isPlaceholder(number)) return { ...known, problem: placeholderProblem };
	// A range that is newer than the library's data still belongs to its country.
	return known ?? { country: number?.country, problem: noSuchNumber(text, number, home) };
}

const planOf = ({ number, type }: ValidNumber): PhoneNumber => ({
	digits: number.number.slice(1),
	country: number.country,
	kind: !number.country && number.isNonGeographic() ? 'globalNetwork' : numberKinds[type],
});

/** A number that is valid by the library's data: it has a type. */
interface ValidNumber {
	number: Parsed;
	type: keyof typeof numberKinds;
}

const isMobile = ({ type }: ValidNumber): boolean => type.includes('MOBILE');

/** Returns the valid number: if it is valid with and without the country code, the mobile, or else with. */
function readValid(text: string, home?: HomeCountry): ValidNumber | undefined {
	const isWithCode = home && text.startsWith(callingCodeOf(home));
	const numbers = [isWithCode && parseWhole(`+${text}`), parseWhole(text, home)];
	const valid = numbers.flatMap((number) => {
		const type = number ? number.getType() : undefined;
		return number && type ? { number, type } : [];
	});
	return valid.find(isMobile) ?? valid[0];
}

/** Parses a number, but never one outside of `home`: that would be a prefix for calls abroad. */
function parseWhole(text: string, home?: HomeCountry): Parsed | undefined {
	const number = parseOneNumber(text, { ...home, extract: false });
	return home && number?.countryCallingCode !== callingCodeOf(home) ? undefined : number;
}

/** Whether one digit is repeated eight times at the end, or over all groups behind the first. */
const isPlaceholder = (number: Parsed): boolean =>
	/(\d)\1{6}$/.test(number.nationalNumber) &&
	/(\d)(?:\D*\1){7}$|\D(\d)(?:\D*\2){6}$/.test(number.formatInternational());

const listProblem: NumberProblem = {
	what: 'contains more than one phone number',
	hint: 'Use one number per item: split the list first, e.g. with a Split Out node.',
};

const placeholderProblem: NumberProblem = {
	what: 'is a placeholder, not a number',
	hint: 'Enter the number of the person, or leave this item out, e.g. with a Filter node.',
};

const roundedProblem: NumberProblem = {
	what: 'seems to be rounded',
	hint: 'Spreadsheets do that to long numbers: format the column as text there, and enter the number again. One that really ends in zeros can be written with spaces, e.g. +55 11 91000 0000.',
};

const severalNumbers = (numbers: Parsed[]): NumberProblem => ({
	what: 'can be read as more than one number',
	hint: `Enter it as the one you mean: ${numbers.map((each) => each.formatInternational()).join(' or ')}.`,
});

const noCountryCode: NumberProblem = {
	what: 'has no country code',
	hint: "Set 'Default Country Code' in the credential, e.g. 55, or write the number with + and its country code, e.g. +55 11 91234-5678.",
};

const noNumber = (home?: HomeCountry): NumberProblem => ({
	what: 'is not a phone number',
	hint: exampleHint(home ? callingCodeOf(home) : '', home),
});

/** Explains by the numbering plan why there is no such number. @param text with +, or as dialed in `home` */
function noSuchNumber(text: string, number?: Parsed, home?: HomeCountry): NumberProblem {
	const code = home ? callingCodeOf(home) : number?.countryCallingCode;
	if (!code) return noNumber();
	const length = validatePhoneNumberLength(text, home);
	const wrong = length === 'TOO_SHORT' ? 'too short' : length === 'TOO_LONG' && 'too long';
	return {
		what: `is ${wrong || 'not a valid number'} for ${placeOf(code)}`,
		hint: exampleHint(code, home),
	};
}

function exampleHint(code: string, home?: HomeCountry): string {
	const example = exampleOf(code, home);
	return home
		? `Enter one number, e.g. ${example.formatNational()}. One of another country needs + and its country code.`
		: `Enter one number with + and its country code, e.g. ${example.formatInternational()}.`;
}
