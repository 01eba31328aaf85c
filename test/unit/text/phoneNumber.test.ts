import fc from 'fast-check';
import {
	PhoneNumberFormat,
	PhoneNumberType,
	PhoneNumberUtil,
	type PhoneNumber,
} from 'google-libphonenumber';
import * as library from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';

import { localNumbers } from '../../../nodes/text/bundled/libphonenumber';
import { parseHomeCountry } from '../../../nodes/text/country';
import { parsePhoneNumber, withPlus } from '../../../nodes/text/phoneNumber';

const brazil = '5511912345678';

const read = (entered: string, country = '') => {
	const number = parsePhoneNumber(entered, parseHomeCountry(country));
	return number.doubt ?? number.digits;
};

test.each<[unknown, unknown]>([
	[brazil, `+${brazil}`],
	[Number(brazil), `+${brazil}`],
	['51987654321', '+51987654321'], // of Peru, though a Brazilian may dial it, too
	...[
		`+${brazil}`,
		'+55 11 91234-5678',
		'28282',
		'0123456789',
		'support',
		'',
		null,
		undefined,
		{ toString: 1 },
		[brazil],
	].map((other): [unknown, unknown] => [other, other]),
])('%j of an answer is shown as %j', (answered, shown) => {
	expect(withPlus(answered)).toBe(shown);
});

describe('as people write it', () => {
	test.each<[string, string[]]>([
		[brazil, ['+5511912345678', '+55 (11) 91234-5678', '0055 11 91234.5678', '+0055 11 912345678']],
		[brazil, ['++5511912345678', '++55 (11) 91234-5678']],
		[brazil, ['+55.11.91234.5678', '+55 11 91234 - 5678', '+(55) 11 91234-5678']],
		[brazil, ['(+55 11) 91234-5678', '+55 (011) 91234-5678', `+55${' '.repeat(36)}11912345678`]],
		[brazil, ['\u202a+55 11 91234\u20135678\u202c', '+55\u00a011\u201391234\u20115678']],
		[brazil, ["'+55 11 91234-5678", '\u2019+55 11 91234-5678', "'Tel: +55 11 91234-5678"]],
		[brazil, ['tel:+55-11-91234-5678', 'Phone: +55 11 91234-5678', 'Ana <+55 11 91234-5678>']],
		[brazil, ['＋５５　（１１）　９１２３４－５６７８', '+٥٥ ١١ ٩١٢٣٤ ٥٦٧٨', '۰۰۵۵ ۱۱ ۹۱۲۳۴ ۵۶۷۸']],
		[brazil, ['5511912345678@c.us', '5511912345678@s.example.net', 'chatapp:+5511912345678']],
		[brazil, ['5511912345678:12@s.example.net', 'https://wa.example/5511912345678']],
		[brazil, ['https://wa.example/+5511912345678/?text=Hi', '+55.11912345678']],
		['5511910000000', ['+55 11 91000-0000']],
		['442079460958', ['+44 (0)20 7946 0958', '+44(0)20 7946 0958', '+44 ( 0 ) 20 7946 0958']],
		['442079460958', ['(+44) (0)20 7946 0958', '0044(0)20 7946 0958']],
		['12025550143', ['+1 (202) 555-0143', '+1.2025550143', '001.2025550143']],
		['49201123456', ['(+49) 201/123456']],
		['493320312345', ['+49 33203 / 12345']],
		['4930123450', ['+49 30 12345-0']],
		['390669812345', ['+39 06 698 12345']], // Italy's 0 is part of the number
		['39331776543', ['+39 331 776543']],
		['3780549882345', ['+378 0549 882345']],
		['37793306600', ['+377 (0)93 30 66 00']],
		['2908999', ['+290.8999']],
	])('%s: %j', (digits, texts) => {
		for (const text of texts) expect([text, read(text)]).toEqual([text, digits]);
	});
});

describe('why a number is not certain', () => {
	test.each([
		['noNumber', ['', ' ', '+', '+55 11 CALL-NOW', '5511912345678 +5511', 'Ana <ana>']],
		['noNumber', ['https://example.com/orders/5511912345678', 'Ana <+55 11', '5,511,912,345,678']],
		['noNumber', ['https://example.com/?to=5511912345678', '-5511912345678', '+-5511912345678']],
		['noNumber', ['5511912345678.', '.5511912345678', '5511912345678\n1', '1\t2345678']],
		['noNumber', ['+55 11 91234-5678\u00b2', `+55${' '.repeat(38)}11912345678`]],
		['list', ['+55 11 91234-5678; 91234-8765', '5511912345678,5511987654321']],
		['list', ['5511912345678 | 5521999998888', '11 91234-5678 ou 11 98765-4321']],
		['list', ['+55 11 91234-5678 or +55 21 99876-5432', '+55 11 91234-5678 / 91234-8765']],
		['chatId', ['5511912345678@lid', '5511912345678-1600000000@g.us', 'group@g.us']],
		['email', ['ana@example.com', '5511912345678@example.net', '2025550143@s.example.com']],
		['formula', ['#ERROR!', '#ERRO!', '#N/A', '#N/D', '#REF!', '#NAME?', '#DIV/0!', '#VALOR!']],
		['placeholder', ['(00) 00000-0000', '11111111111', '+55 11 99999-9999', '+55 11 00000-0000']],
		['placeholder', ['99999999', '+351 999 999 999', '+1 202 555 5555', '+99 99999-9999']],
		['noAreaCode', ['+55 91234-5678', '+55 3333-4444', '+1 555 0143']],
		['tollFree', ['+248 800 0000', '+55 800 123 4567', '+1 800 253 0000', '0044 800 123 4567']],
		['extension', ['+1 202-555-0143 x2', '+1 202-555-0143#2', '+1 202-555-0143 ext. 1234']],
		['extension', ['+55 11 3333-4444 ramal 12', 'tel:+1-202-555-0143;ext=12']],
		['extension', ['3333-4444 доб. 12']],
		['rounded', ['5.51191E+12', '5,51191e12', '+5.51191E+12', '5.5e12', '5511910000000']],
		['rounded', ['+5511910000000', '005511910000000', '447911000000', "'5500000000000"]],
		['rounded', ['5.51191234568E+12', '5,51191234568E+12']],
		['premiumRate', ['+44 9012 345678', '00 55 900 123456']],
		['sharedCost', ['+43 810 123456', '0049 180 1 2345']],
		['globalNetwork', ['+800 1234 5678', '+881 612 345 678', '+882 16 123456', '+870 301234567']],
		['noCountryCode', [brazil, '11 91234-5678', '2025550143', '55.11.91234.5678', '5', '1234567']],
		['noCountryCode', ['011 91234-5678', '(011) 91234-5678', '(0)11 91234-5678']],
		['noCountryCode', ['+011 91234-5678']],
		['noCountryCode', ['((011) 91234-5678', '000 55 11 912345678', '+0 11 91234-5678']],
		['noCountryCode', ['(51) 99123-4567', '(0)51 99123-4567', '( 55 ) 11 91234-5678']],
		['severalParts', ['+55 11 3333-4444/45', '33334444/45', '+49 33203 / 12345 / 1']],
		['severalParts', ['+1 202-555-0143 (2)', '+1 202-555-0143 (2', '+1 202-555-0143 (1234)']],
		['severalParts', ['+49 201/123', '+49 (201) 123', '12.345.678/0001-95', '+55 11 (912345678)']],
		['decimals', ['5511912345678.0', '5511912345678.00', '5511912345678.5', '+5511912345678.0']],
		['decimals', ['551191234.5678', '005511912345678.0', '55 11 91234-5678.0']],
		['date', ['2024-12-31', '2024.12.31', '2024/12/31', '31-12-2024', '12/31/2024', '31.12.2024']],
		['date', ['1-2-2024', '01-02-2024', '1/12/2024', '12.1.2024', '21-01-2024', '31-30-2024']],
		['date', ['2024\u201312\u201331', ' 2024-12-31 ', '31.12.2024 10.30', '2024-12-31 9.05.59']],
		['ipAddress', ['192.168.100.200', '255.255.255.255', '192.168.1.20']],
		['taxId', ['123.456.789-09', '123.456.789\u201009']],
		['noSuchNumber', ['+5', '+1234567', '00 123 4567', '+11912345678', '+99912345678']],
		['noSuchNumber', ['+5511912345678000', '+5511912345678.00', '+10.20.30.40.50']],
		['noSuchNumber', ['+44 20 (0)7946 09', '+55 11 91234-5678 91234-8765']],
		['severalNumbers', ['+39 (0)331 776543', '0039(0)331 776543', '(+39) (0)331 776543']],
	] as const)('%s: %j', (doubt, texts) => {
		for (const text of texts)
			expect([text.slice(0, 60), read(text)]).toEqual([text.slice(0, 60), doubt]);
	});

	test('what is far too long is refused at once', () => {
		for (const text of [`(${'( '.repeat(1_000_000)}`, '5'.repeat(5_000_000)]) {
			expect(read(text)).toBe('noNumber');
		}
	});

	const explain = (...[entered, country = '']: Parameters<typeof read>) => {
		const number = parsePhoneNumber(entered, parseHomeCountry(country));
		return number.doubt ? (number.why ?? number.what) : number;
	};

	test.each([
		['+55 11 9123-456', '', 'is not a valid number for Brazil (+55)'],
		['+55 00 91234-5678', '', 'is not a valid number for Brazil (+55)'],
		['+55 11 91234-56789', '', 'is too long for Brazil (+55)'],
		['+55 11 91', '', 'is too short for Brazil (+55)'],
		['+1 555 014', '', 'is too short for country code +1'],
		['+999 123 4567', '', 'does not start with a country code'],
		['+5', '', 'is too short for a phone number'],
		['2025550143', 'BR', 'is not a valid number for Brazil (+55)'],
		['(00) 91234-5678', '55', 'is not a valid number for Brazil (+55)'], // not +91, India
		['011 55 11 91234-5678', '1', 'is too long for country code +1'],
		['+39 (0)331 776543', '', '+39 0331 776543 or +39 331 776 543.'],
		['912345678', '55', 'Write it with its area code (DDD), e.g. (11) 91234-5678.'],
		['3333-4444', 'BR', 'Write it with its area code (DDD), e.g. (11) 3333-4444.'],
		['+55 91234-5678', '', 'Write it with its area code (DDD), e.g. +55 11 91234 5678.'],
		['555-0143', 'US', 'Write it with its area code, e.g. (201) 555-0143.'],
		['555-0143', '1', 'Write it with its area code.'],
		['51 99876-5432', '', 'With a + in front, it would be a number of Peru (+51).'],
		[brazil, '', 'With a + in front, it would be a number of Brazil (+55).'],
		['11 91234-5678', '', undefined],
	])('%s, default country %j: %s', (entered, country, why) =>
		expect(explain(entered, country)).toBe(why),
	);

	test.each([
		[['+55 11 9123-4567', '(11) 9123-4567', '1191234567', '551191234567'], '55', 'put a 9 before'],
		[['+52 1 55 1234 5678', '1 55 1234 5678', '5215512345678'], 'MX', 'Mexico dropped the 1'],
		[['+225 07 12 34 56', '07 12 34 56', '22507123456'], 'CI', 'ten digits since 2021'],
	])('%j are what they were before a change, which is named', (spellings, country, change) => {
		for (const text of spellings)
			expect([text, explain(text, country)]).toEqual([text, expect.stringContaining(change)]);
	});

	test('what becomes of them by what is said is valid', () => {
		expect(read('+55 11 99123-4567')).toBe('5511991234567');
		expect(read('+52 55 1234 5678')).toBe('525512345678');
		expect(read('+225 07 07 12 34 56')).toBe('2250707123456');
	});

	test('of a number that is certain, the digits are known', () => {
		expect(parsePhoneNumber('+44 9012 345678')).toEqual({
			doubt: 'premiumRate',
			digits: '449012345678',
			country: 'GB',
			kind: 'premiumRate',
		});
		expect(parsePhoneNumber('+55 11 9123-456')).toMatchObject({ digits: '55119123456' });
		expect(parsePhoneNumber('11 9123-456', parseHomeCountry('55'))).not.toHaveProperty('digits');
	});
});

describe('the country of numbers that name none', () => {
	/** As each country writes its own: the judge below. */
	test.each<[string, string, string[]]>([
		['55', brazil, ['(11) 91234-5678', '011 91234-5678', '(011) 91234-5678', '(0)11 91234-5678']],
		['55', brazil, ['0 15 11 91234-5678', '(55) 11 91234-5678', brazil]], // 15 is a carrier
		['55', '551133334444', ['(11) 3333-4444']],
		['55', '5551991234567', ['(51) 99123-4567', '51 99123-4567']], // not Peru
		['55', '5555991234567', ['55 99123-4567']], // 55 is an area of Brazil, too
		['91', '919118005947', ['91180 05947']], // a mobile, not a toll-free number without its code
		['BR', '5585999990000', ['85 99999-0000']], // not North Korea
		['55', '51991234567', ['+51 991 234 567']],
		['55', '442079460958', ['0044 20 7946 0958']],
		['49', '4915123456789', ['4915123456789']], // a mobile, not a landline in Leer
		['49', '494915123456', ['04915123456']],
		['DE', '4930123456', ['4930123456']], // Berlin, not Norden without its 0
		['NL', '31612345678', ['06.12345678']],
		['SN', '221701234567', ['70.123.45.67']],
		['7', '77012345678', ['8 (701) 234-56-78']], // Kazakhstan
		['36', '36201234567', ['06 20 123 4567']],
		['1', '12423591234', ['(242) 359-1234']], // Bahamas
		['BS', '12423591234', ['359-1234']],
		['44', '447781123456', ['07781 123456']], // Guernsey
	])('%s: %s are %j', (country, digits, texts) => {
		for (const text of texts) expect([text, read(text, country)]).toEqual([text, digits]);
	});

	test.each([
		['55', 'noSuchNumber', ['1234', '+11912345678', '2025550143', '351912345678', '0011']],
		['US', 'noSuchNumber', ['5511912345678', '011 55 11 91234-5678']],
		['55', 'noCountryCode', ['+011 91234-5678', '000 91234-5678']],
		['1', 'noAreaCode', ['359-1234']], // of which of the countries that share the code?
		['55', 'noAreaCode', ['912345678']],
		['BR', 'placeholder', ['(11) 99999-9999', '11 9999-9999']],
		['55', 'tollFree', ['0800 123 4567']],
		['39', 'severalNumbers', ['(0)331 776543']],
		['55', 'date', ['2024-12-31']],
		['55', 'taxId', ['123.456.789-09']],
		['55', 'severalParts', ['3333-4444/45']],
	])('%s does not help, %s: %j', (country, doubt, texts) => {
		for (const text of texts) expect([text, read(text, country)]).toEqual([text, doubt]);
	});
});

describe('libphonenumber as the judge', () => {
	type Number = library.PhoneNumber;

	const mobiles = library
		.getCountries()
		.map((country) => library.getExampleNumber(country, examples)!);
	const numbers = [...mobiles, ...library.getCountries().flatMap(landlinesOf)].filter(
		({ number }) => !number.endsWith('0'.repeat(6)), // as Korea's example does
	);

	/** With its country code. */
	const international: Record<string, (number: Number) => string> = {
		'E.164': ({ number }) => number,
		spaced: (number) => number.formatInternational(),
		dotted: (number) => number.formatInternational().replace(/[ -]/g, '.'),
		'00': ({ number }) => number.replace('+', '00'),
	};

	/** As it is written in its country. */
	const atHome: Record<string, (number: Number) => string> = {
		national: (number) => number.formatNational(),
		digits: ({ nationalNumber }) => nationalNumber,
		'with its code': ({ number }) => number.slice(1),
	};

	const homes: Record<string, (number: Number) => string> = {
		none: () => '',
		'its calling code': ({ countryCallingCode }) => countryCallingCode,
		'its country': ({ country }) => country!,
		'another one': ({ countryCallingCode }) => (countryCallingCode === '55' ? '1' : '55'),
	};

	const withHomes = (spellings: object, ...names: string[]) =>
		Object.keys(spellings).flatMap((spelling) => names.map((home) => [spelling, home] as const));

	/** How large a part is refused; fails if one goes to another number. */
	function shareRefused(spell: (number: Number) => string, homeOf: (number: Number) => string) {
		const results = numbers.map((number) => {
			const text = spell(number);
			const result = parsePhoneNumber(text, parseHomeCountry(homeOf(number)));
			return {
				text,
				right: number.number.slice(1),
				sent: result.doubt ? undefined : result.digits,
			};
		});
		const isMobile = (digits: string) =>
			library.default(`+${digits}`)!.getType()!.includes('MOBILE');
		const wrong = results.filter(({ sent, right }) => sent && sent !== right);
		// Where a landline with its code can be a mobile without, nobody can know.
		expect(wrong.filter(({ sent, right }) => isMobile(right) || !isMobile(sent!))).toEqual([]);
		return results.filter(({ sent }) => sent === undefined).length / numbers.length;
	}

	test('there are examples of all countries', () => {
		expect(mobiles).toHaveLength(245);
		expect(numbers.length).toBeGreaterThan(700);
	});

	test.each(withHomes(international, ...Object.keys(homes)))(
		'%s, default country: %s: that number',
		(spelling, home) => expect(shareRefused(international[spelling]!, homes[home]!)).toBe(0),
	);

	test.each(withHomes(atHome, 'its calling code', 'its country'))(
		'%s, default country: %s: that number',
		(spelling, home) => expect(shareRefused(atHome[spelling]!, homes[home]!)).toBe(0),
	);

	test.each(Object.keys(atHome))('%s, without a default country: none', (spelling) => {
		expect(shareRefused(atHome[spelling]!, homes.none!)).toBe(1);
	});

	test.each(Object.keys(atHome))(
		'%s, default country: another one: none outside of it',
		(spelling) => {
			for (const country of ['BR', 'DE', 'US'] as const) {
				const codes = numbers.flatMap((number) => {
					const { digits, doubt } = parsePhoneNumber(
						atHome[spelling]!(number),
						parseHomeCountry(country),
					);
					return doubt ? [] : [library.default(`+${digits}`)!.countryCallingCode];
				});
				expect([...new Set(codes)]).toEqual([library.getCountryCallingCode(country)]);
			}
		},
	);

	test('a digit lost or doubled: what the library lets through, and no more than 6 %', () => {
		const typos = mobiles.flatMap(({ number }) =>
			[...number].flatMap((digit, at) =>
				digit === '+'
					? []
					: ['', digit + digit].map((typo) => number.slice(0, at) + typo + number.slice(at + 1)),
			),
		);
		const sent = typos.filter((typo) => parsePhoneNumber(typo).doubt === undefined);
		const isRefused = (number: Number) =>
			/PREMIUM_RATE|SHARED_COST|TOLL_FREE/.test(number.getType()!) || number.isNonGeographic();
		const valid = typos.map((typo) => library.default(typo)).filter((number) => number?.isValid());
		const expected = valid.filter(
			(number) => !isRefused(number!) && !/\d{6}0{6}$|(\d)\1{6}$/.test(number!.number),
		);
		expect(sent.map((typo) => library.default(typo)!.number)).toEqual(
			expected.map((number) => number!.number),
		);
		expect(sent.length / typos.length).toBeLessThanOrEqual(0.06);
	});

	/** The library has examples of mobiles alone: landlines are made from its patterns. */
	function landlinesOf(country: library.CountryCode): Number[] {
		const pattern = fixedLinePattern(country);
		if (pattern === undefined) return [];
		const code = library.getCountryCallingCode(country);
		return fc
			.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { numRuns: 20, seed: 1 })
			.map((digits) => library.default(`+${code}${digits}`, { extract: false }))
			.filter((number) => number !== undefined)
			.filter((number) => number.country === country && number.isValid())
			.slice(0, 3);
	}

	/** See the library's `source/metadata.js`: a country's types, the first of them landlines. */
	function fixedLinePattern(country: library.CountryCode): string | undefined {
		const types = (metadata.countries[country] as unknown[])[11] as Array<[string]> | undefined;
		return types?.[0]?.[0];
	}
});

test('whatever is entered: the digits of a number that exists, or a doubt', () => {
	fc.assert(
		fc.property(
			fc.oneof(fc.string(), fc.stringMatching(/^[-+ ()/.\d]{0,20}$/)),
			fc.constantFrom('', '55', '1', 'IT'),
			(text, country) => {
				const number = parsePhoneNumber(text, parseHomeCountry(country));
				if (number.doubt) return;
				expect(library.isValidPhoneNumber(`+${number.digits}`)).toBe(true);
				expect(text.replace(/\D/g, '')).toContain(number.digits.slice(-4));
			},
		),
		{ numRuns: 2000 },
	);
});

test("how many digits are dialed without an area code is Google's data", () => {
	const google = PhoneNumberUtil.getInstance();
	const types = [
		[PhoneNumberType.MOBILE, 'getMobile'],
		[PhoneNumberType.FIXED_LINE, 'getFixedLine'],
	] as const;
	const found = google.getSupportedRegions().flatMap((region) => {
		const areas = types.flatMap(([type, descriptionOf]) => {
			const example = google.getExampleNumberForType(region, type);
			const lengths = descriptionsOf(google, region)[descriptionOf]();
			return example ? lengths.possibleLengthLocalOnlyArray().flatMap(areaOf(example)) : [];
		});
		return areas.length > 0 ? [[region, Object.fromEntries(areas.reverse())] as const] : [];
	});
	expect(localNumbers).toEqual(Object.fromEntries(found));

	/** The example's first group, if so many digits follow it. */
	function areaOf(example: PhoneNumber) {
		const national = google.getNationalSignificantNumber(example);
		const shown = google.format(example, PhoneNumberFormat.INTERNATIONAL);
		return (length: number) => {
			const area = national.slice(0, -length);
			return /^\S+ (\d+)/.exec(shown)?.[1] === area ? [[length, area] as const] : [];
		};
	}
});

/** Google's types leave out its data. */
const descriptionsOf = (google: PhoneNumberUtil, region: string) =>
	(
		google as unknown as {
			getMetadataForRegion(
				region: string,
			): Record<'getMobile' | 'getFixedLine', () => { possibleLengthLocalOnlyArray(): number[] }>;
		}
	).getMetadataForRegion(region);
