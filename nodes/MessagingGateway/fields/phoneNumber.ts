/** Digits with country code, or what keeps them from being told without a guess. */
export type PhoneNumber =
	{ digits: string; doubt?: undefined } | { digits?: undefined; doubt: Doubt };

export type Doubt =
	| 'noNumber'
	| 'length'
	| 'noCountryCode'
	| 'innerZero'
	| 'severalParts'
	| 'decimals'
	| 'date'
	| 'ipAddress'
	| 'taxId';

/** What is no phone number, though it is written with the characters of one. */
const lookalikes: Array<[RegExp, Doubt]> = [
	// `+1.2025550143`, the way of domain registries, is none.
	[/^(?!(?:\+|00)\d{1,3}\.\d{5})\+?\d+\.\d+$/, 'decimals'],
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

/** A zero in brackets behind the country code. */
const trunkZero = /^(\d{1,3}\)?\p{Zs}*)\(\p{Zs}*0\p{Zs}*\)/u;

/**
 * Italy, San Marino and Vatican City: a landline keeps its zero in calls from abroad, and may be
 * another one's mobile without it.
 */
const keepsZero = /^(?:39|378|379)/;

/** Longer than anybody spells 15 digits. */
const longest = 50;

/**
 * Reads a phone number as people write it: `+55 (11) 91234-5678`, `0055 11 91234.5678`. A zero in
 * brackets behind the country code is for calls from within the country, and left out:
 * `+44 (0)20 7946 0958`.
 *
 * @param countryCode of the numbers that are written without `+` or `00` and have at most 11
 * digits, 10 where the code has one digit; empty: each number brings its own
 */
export function parsePhoneNumber(entered: string, countryCode = ''): PhoneNumber {
	const text = entered.replace(/\p{Cf}/gu, '').trim();
	if (text.length > longest || !characters.test(text)) return { doubt: 'noNumber' };
	const plain = text.replace(/\p{Pd}/gu, '-').replace(timeOfDay, '');
	const lookalike = lookalikes.find(([shape]) => shape.test(plain));
	if (lookalike) return { doubt: lookalike[1] };

	const isInternational = internationalPrefix.test(text);
	const number = text.replace(internationalPrefix, '');
	const hasTrunkZero = isInternational && !keepsZero.test(number);
	const spelled = hasTrunkZero ? number.replace(trunkZero, '$1') : number;
	if (/\d\D*\(\p{Zs}*0/u.test(spelled)) return { doubt: 'innerZero' };
	// In front stand country and area alone; behind them an extension or a second number begins.
	if (/(?:\d\D*){8}[()/]/.test(spelled) || /[()/]\D*(?:\d\D*){0,3}$/.test(spelled)) {
		return { doubt: 'severalParts' };
	}
	const digits = isInternational
		? spelled.replace(/\D/g, '')
		: withCountryCode(spelled.replace(/\D/g, ''), countryCode);
	if (digits.startsWith('0')) return { doubt: 'noCountryCode' };
	return digits.length < 8 || digits.length > 15 ? { doubt: 'length' } : { digits };
}

/** The `0` before an area code goes where it is for calls from within the country. */
function withCountryCode(digits: string, countryCode: string): string {
	const national = keepsZero.test(countryCode) ? digits : digits.replace(/^0/, '');
	const most = countryCode.length === 1 ? 10 : 11; // in 1 and 7, eleven digits have the code
	return countryCode && national.length <= most ? countryCode + national : digits;
}

/** `55`, `+55` and `0055` → `55`; undefined for anything else. */
export function parseCountryCode(entered: string): string | undefined {
	return /^(?:\+|00)?([1-9]\d{0,2})$/.exec(entered.trim())?.[1];
}
