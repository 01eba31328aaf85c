import { parseOneNumber, validatePhoneNumberLength, type PhoneNumber as Parsed } from './bundled';
import { nameWithCode, placeOf, exampleOf, type DefaultCountry, type HomeCountry } from './country';
import { readSpelling, digitsOf, zeroInBrackets } from './spelling';

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
	/** The country code and the number as entered, where such a number exists. */
	digits?: string;
	/** These digits by today's plan: they differ for an account of a chat app that is older than it. */
	today?: string;
	/** Whether it was entered with its country code. Another one may be of another country. */
	isInternational?: boolean;
	problem?: NumberProblem;
}

/**
 * Returns the one spelling of a person's number, by which messages are compared: chat apps keep numbers
 * without Brazil's ninth digit (not those of the area codes up to 28, whose chat apps have it), with Mexico's 1
 * and without Argentina's 9. @param number with or without +
 */
export const personOf = (number: string): string =>
	number
		.replace(/(?<=^\+?55(?:3[1-9]|[4-9]\d))(?=[6-9]\d{7}$)/, '9')
		.replace(/(?<=^\+?52)1(?=\d{10}$)/, '')
		.replace(/(?<=^\+?54)(?=[1-3]\d{9}$)/, '9');

/**
 * Parses a phone number as people and chat apps write it. With `+` or `00` it is international, and so are
 * digits alone where the country code is `included`. Anything else is read in the default country alone, as
 * it is dialed there or with its country code. What is valid, libphonenumber's data decides.
 */
export function parsePhoneNumber(entered: string, country?: DefaultCountry): PhoneNumber {
	const { text, number, shape } = readSpelling(entered);
	const digits = digitsOf(number);
	const isIncluded = country === 'included';
	const home = isIncluded ? undefined : country;
	const isInternational = number !== text || (isIncluded && digitsWithCode.test(text));
	if (shape === 'list') return { problem: listProblem };
	if (shape === 'rounded') {
		// One that really ends so can be kept as entered. Who is meant by another one is not known.
		const kept = digits === number ? chooseReading([`+${digits}`]).digits : undefined;
		return { isInternational, digits: kept, problem: roundedProblem };
	}
	if (shape === 'other') return { problem: noNumber(home) };
	if (isInternational ? digits.startsWith('0') : !home)
		return { problem: home ? noNumber(home) : noCountryCode(isIncluded) };

	const spellings = new Set([number, number.replace(zeroInBrackets, '')]);
	const dialed = [...spellings].map((each) => (isInternational ? '+' : '') + digitsOf(each));
	const where = isInternational ? undefined : home;
	const reading = chooseReading(dialed, where);
	// Brazil groups its old numbers as `8765-4321`: `99123-456` has lost a digit, `919-999-1234` is from abroad.
	const isOld = reading.country === 'BR' && reading.today !== reading.digits;
	if (!isOld || /\d{4}\D*\d{4}$/.test(number)) return { isInternational, ...reading };
	return { problem: noSuchNumber(dialed[0]!, parseWhole(dialed[0]!, where), where) };
}

/** Returns why messages should not go to a number that exists: it is dear, only for calls, or shows no SMS. */
export function objectionTo(
	{ digits = '', country, kind, isInternational }: PhoneNumber,
	channel: 'chatApp' | 'sms',
): NumberProblem | undefined {
	const name = kind && (notForMessages[kind] ?? (channel === 'sms' ? withoutSms[kind] : undefined));
	if (!name) return undefined;
	const mobile = country === 'AR' ? readValid(`+549${digits.slice(2)}`) : undefined;
	return {
		what: `is ${name}${country ? ` of ${nameWithCode(country)}` : ''}`,
		hint: mobile
			? `If it is a mobile, enter it with its 9: ${mobile.number.formatInternational()}.`
			: `Enter a mobile number.${isInternational ? '' : needsPlus}`,
	};
}

const notForMessages: Partial<Record<NumberKind, string>> = {
	globalNetwork: 'a number of a satellite or global network',
	premiumRate: 'a premium-rate number',
	sharedCost: 'a shared-cost number',
	tollFree: 'a toll-free number',
};

const withoutSms: Partial<Record<NumberKind, string>> = {
	company: 'a company number',
	landline: 'a landline',
	pager: 'a pager',
	voicemail: 'a voicemail number',
};

/** Returns a number of an answer with its +: the service has digits, country code first (interface §2.2, §2.3). */
export function withPlus<T>(value: T): T | string {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText && digitsWithCode.test(String(value)) ? `+${value}` : value;
}

const digitsWithCode = /^[1-9]\d{7,14}$/;

/** @param spellings of one number: with `+`, or as dialed in `home` */
function chooseReading(spellings: string[], home?: HomeCountry): PhoneNumber {
	const readings = spellings.flatMap((text) => readValid(text, home) ?? []);
	const [found] = readings;
	const text = spellings.at(-1)!;
	// Chat apps and exports leave out the + of numbers abroad: no landline or old number at home is meant by those.
	const abroad = home && found && !isMobile(found) ? readValid(`+${text}`) : undefined;
	if (abroad && isMobile(abroad)) readings.push(abroad);
	const numbers = new Map(readings.map(({ number }) => [number.number, number]));
	if (numbers.size > 1) return { problem: severalNumbers([...numbers.values()]) };
	const number = found?.number ?? parseWhole(text, home);
	const known = found && planOf(found);
	if (number && isPlaceholder(number)) return { ...known, problem: placeholderProblem(home) };
	// A range that is newer than the library's data still belongs to its country.
	return known ?? { country: number?.country, problem: noSuchNumber(text, number, home) };
}

const planOf = ({ entered, number, type }: ValidNumber): PhoneNumber => ({
	digits: entered.slice(1),
	today: number.number.slice(1),
	country: number.country,
	kind: !number.country && number.isNonGeographic() ? 'globalNetwork' : numberKinds[type],
});

/** A number that is valid by the library's data: it has a type. */
interface ValidNumber {
	/** The digits with +, maybe by an earlier plan, but never with the zeros too many of `+49 (0)0151 …`. */
	entered: string;
	number: Parsed;
	type: keyof typeof numberKinds;
}

const isMobile = ({ entered, number, type }: ValidNumber): boolean =>
	entered === number.number && type.includes('MOBILE');

/** Returns the valid number: if it is valid with and without the country code, the mobile, or else with. */
function readValid(text: string, home?: HomeCountry): ValidNumber | undefined {
	const isWithCode = home && text.startsWith(home.defaultCallingCode);
	const numbers = [isWithCode && parseWhole(`+${text}`), parseWhole(text, home)];
	const valid = numbers.flatMap((read) => {
		if (!read) return [];
		const person = personOf(read.number);
		const number = read.isValid() ? read : parseWhole(person);
		const type = number?.getType();
		const isPerson = number?.number === person;
		return number && type ? { entered: (isPerson ? read : number).number, number, type } : [];
	});
	return valid.find(isMobile) ?? valid[0];
}

/** Parses a number, but never one outside of `home`: that would be a prefix for calls abroad. */
function parseWhole(text: string, home?: HomeCountry): Parsed | undefined {
	const number = parseOneNumber(text, { ...home, extract: false });
	return home && number?.countryCallingCode !== home.defaultCallingCode ? undefined : number;
}

/** Whether one digit is repeated eight times at the end, or over all groups behind the first. */
const isPlaceholder = (number: Parsed): boolean =>
	/(\d)\1{6}$/.test(number.nationalNumber) &&
	/(\d)(?:\D*\1){7}$|\D(\d)(?:\D*\2){6}$/.test(number.formatInternational());

const listProblem: NumberProblem = {
	what: 'contains more than one phone number',
	hint: 'Use one number per item: split the text in an Edit Fields node with {{ $json.numbers.split(/[,;|/\\n]/) }}, then add a Split Out node.',
};

const placeholderProblem = (home?: HomeCountry): NumberProblem => ({
	what: 'is a placeholder, not a number',
	hint: `Enter the number of the person, or leave this item out, e.g. with a Filter node.${home ? needsPlus : ''}`,
});

const roundedProblem: NumberProblem = {
	what: 'seems to be rounded',
	hint: 'Spreadsheets do that to long numbers: format the column as text there, and enter the number again. One that really ends in zeros can be written with + and spaces, e.g. +55 11 91000 0000.',
};

const severalNumbers = (numbers: Parsed[]): NumberProblem => ({
	what: 'can be read as more than one number',
	hint: `Enter it as the one you mean: ${numbers.map((each) => each.formatInternational()).join(' or ')}.`,
});

const noCountryCode = (isIncluded: boolean): NumberProblem => ({
	what: 'has no country code',
	hint: `${isIncluded ? "'Default Country Code' is 'included': enter digits alone that begin with it" : "Set 'Default Country Code' in the credential: a country, e.g. 55, or the word included if all digits begin with theirs"}. Or write the number with + and its country code, e.g. +55 11 91234-5678.`,
});

const noNumber = (home?: HomeCountry): NumberProblem => ({
	what: 'is not a phone number',
	hint: exampleHint(home?.defaultCallingCode ?? '', home),
});

/** Explains by the numbering plan why there is no such number. @param text with +, or as dialed in `home` */
function noSuchNumber(text: string, number?: Parsed, home?: HomeCountry): NumberProblem {
	const code = home?.defaultCallingCode ?? number?.countryCallingCode;
	if (!code) return noNumber();
	const length = validatePhoneNumberLength(text, home);
	const wrong = length === 'TOO_SHORT' ? 'too short' : length === 'TOO_LONG' && 'too long';
	return {
		what: `is ${wrong || 'not a valid number'} for ${placeOf(code)}`,
		hint: exampleHint(code, home),
	};
}

/** Follows the hint about a number that has no country code. */
const needsPlus = ' One of another country needs + and its country code.';

function exampleHint(code: string, home?: HomeCountry): string {
	const example = exampleOf(code, home);
	return home
		? `Enter one number, e.g. ${example.formatNational()}.${needsPlus}`
		: `Enter one number with + and its country code, e.g. ${example.formatInternational()}.`;
}
