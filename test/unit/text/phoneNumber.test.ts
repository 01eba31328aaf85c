import fc from 'fast-check';
import * as library from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';

import { parseHomeCountry, parsePhoneNumber } from '../../../nodes/text/phoneNumber';

const brazil = '5511912345678';

const read = (entered: string, country = '') => {
	const number = parsePhoneNumber(entered, parseHomeCountry(country));
	return number.doubt ?? number.digits;
};

describe('as people write it', () => {
	test.each([
		['5511912345678', brazil],
		['+55 (11) 91234-5678', brazil],
		['0055 11 91234.5678', brazil],
		['+0055 11 912345678', brazil],
		['+55.11.91234.5678', brazil],
		['55.11.91234.5678', brazil],
		['55 11 91234 - 5678', brazil],
		['+(55) 11 91234-5678', brazil],
		['(+55 11) 91234-5678', brazil],
		['\u202a+55 11 91234\u20135678\u202c', brazil],
		['55\u00a011\u201391234\u20115678', brazil],
		['+55 (011) 91234-5678', brazil],
		[`55${' '.repeat(37)}11912345678`, brazil],
		['+44 (0)20 7946 0958', '442079460958'],
		['+44(0)20 7946 0958', '442079460958'],
		['+44 ( 0 ) 20 7946 0958', '442079460958'],
		['(+44) (0)20 7946 0958', '442079460958'],
		['0044(0)20 7946 0958', '442079460958'],
		['+1 (202) 555-0143', '12025550143'],
		['+1.2025550143', '12025550143'],
		['001.2025550143', '12025550143'],
		['+55.11912345678', brazil],
		['+351.912345678', '351912345678'],
		['(+49) 201/123456', '49201123456'],
		['+49 33203 / 12345', '493320312345'],
		['+49 30 12345-0', '4930123450'],
		['+33.6.12.34.56.78', '33612345678'],
		['+39 06 698 12345', '390669812345'],
		['+39 (06) 698 12345', '390669812345'],
		['+39 331 776543', '39331776543'],
		['+39 0331 776543', '390331776543'],
		['+378 0549 882345', '3780549882345'],
		['+377 (0)93 30 66 00', '37793306600'],
		['+800 1234 5678', '80012345678'],
		['+290.8999', '2908999'],
	])('%s is %s', (entered, digits) => expect(read(entered)).toBe(digits));
});

describe('why a number is not certain', () => {
	test.each([
		[
			'noNumber',
			[
				...['', ' ', '+', '+55 11 CALL-NOW', '5511912345678@g.us', '5511912345678 +5511'],
				...['5.5e12', '5,511,912,345,678', '-5511912345678'],
				...['5511912345678.', '.5511912345678', '+-5511912345678', '5511912345678\n1'],
				'1\t2345678',
				...['+1 202-555-0143 x2', '+1 202-555-0143#2', '++5511912345678', '５５11912345678'],
				...[`55${' '.repeat(38)}11912345678`],
			],
		],
		[
			'list',
			[
				'+55 11 91234-5678; 91234-8765',
				'5511912345678,5511987654321',
				'5511912345678 | 5521999998888',
			],
		],
		[
			'noCountryCode',
			['011 91234-5678', '(011) 91234-5678', '(0)11 91234-5678', '+011 91234-5678'],
		],
		['noCountryCode', ['((011) 91234-5678', '000 55 11 912345678', '+0 11 91234-5678']],
		['noCountryCode', ['(51) 99123-4567', '(0)51 99123-4567', '( 55 ) 11 91234-5678']],
		['severalParts', ['+55 11 3333-4444/45', '33334444/45', '+55 11 91234-5678 / 91234-8765']],
		['severalParts', ['+1 202-555-0143 (2)', '+1 202-555-0143 (2', '+1 202-555-0143 (1234)']],
		['severalParts', ['+49 201/123', '+49 (201) 123', '12.345.678/0001-95', '55 11 (912345678)']],
		['decimals', ['5511912345678.0', '5511912345678.00', '5511912345678.5', '+5511912345678.0']],
		['decimals', ['551191234.5678', '005511912345678.0', '55 11 91234-5678.0', '1.202555']],
		['date', ['2024-12-31', '2024.12.31', '2024/12/31', '31-12-2024', '12/31/2024', '31.12.2024']],
		['date', ['1-2-2024', '01-02-2024', '1/12/2024', '12.1.2024', '21-01-2024', '31-30-2024']],
		['date', ['2024\u201312\u201331', ' 2024-12-31 ', '31.12.2024 10.30', '2024-12-31 9.05.59']],
		['ipAddress', ['192.168.100.200', '255.255.255.255', '10.20.30.40', '192.168.1.20']],
		['taxId', ['123.456.789-09', '123.456.789\u201009']],
		[
			'noSuchNumber',
			['5', '1234567', '1234567890123456', '00 123 4567', '11912345678', '+99912345678'],
		],
		['noSuchNumber', ['5511912345678000', '5500000000000', '+5511912345678.00', '+10.20.30.40.50']],
		['noSuchNumber', ['+44 20 (0)7946 09', '2025550143', '+55 11 91234-5678 91234-8765']],
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

	test('why there is no such number', () => {
		const reasons = (...entered: Parameters<typeof read>) => {
			const number = parsePhoneNumber(entered[0], parseHomeCountry(entered[1] ?? ''));
			return number.doubt === 'noSuchNumber' ? number.reasons : number;
		};
		expect(reasons('+55 11 9123-456')).toEqual([
			'+55119123456 is not a valid number for Brazil (+55).',
		]);
		expect(reasons('+55 11 91234-56789')).toEqual([
			'+55119123456789 is too long for Brazil (+55).',
		]);
		expect(reasons('+55 11 9123')).toEqual(['+55119123 is too short for Brazil (+55).']);
		expect(reasons('+1 555 0143')).toEqual(['+15550143 is too short for country code +1.']);
		expect(reasons('+999 123 4567')).toEqual(['+9991234567 does not start with a country code.']);
		expect(reasons('+5')).toEqual(['+5 is too short for a phone number.']);
		expect(reasons('2025550143', 'BR')).toEqual([
			'2025550143 is not a valid number for Brazil (+55).',
			'+2025550143 is not a valid number for Egypt (+20).',
		]);
		expect(reasons('011 55 11 91234-5678', '1')).toEqual([
			'0115511912345678 is too long for country code +1.',
		]);
	});

	test('both readings are shown', () => {
		expect(parsePhoneNumber('51 99123-4567', parseHomeCountry('55'))).toEqual({
			doubt: 'severalNumbers',
			readings: ['+55 51 99123 4567 (Brazil)', '+51 991 234 567 (Peru)'],
		});
		expect(parsePhoneNumber('+39 (0)331 776543')).toEqual({
			doubt: 'severalNumbers',
			readings: ['+39 0331 776543 (Italy)', '+39 331 776 543 (Italy)'],
		});
	});
});

describe('the country of numbers that name none', () => {
	test.each([
		['55', '(11) 91234-5678', brazil],
		['BR', '(11) 91234-5678', brazil],
		['55', '011 91234-5678', brazil],
		['55', '(011) 91234-5678', brazil],
		['55', '(0)11 91234-5678', brazil],
		['55', '0 15 11 91234-5678', brazil], // 15 is a carrier
		['55', '11912345678', brazil],
		['55', brazil, brazil],
		['55', '(55) 11 91234-5678', brazil],
		['55', '(11) 3333-4444', '551133334444'],
		['55', '(51) 99123-4567', '5551991234567'],
		['55', '55 99123-4567', '5555991234567'], // 55 is an area of Brazil, too
		['55', '+51 991 234 567', '51991234567'],
		['55', '0044 20 7946 0958', '442079460958'],
		['34', '34612345678', '34612345678'],
		['34', '612 34 56 78', '34612345678'],
		['7', '8 (912) 345-67-89', '79123456789'],
		['7', '8 (701) 234-56-78', '77012345678'], // Kazakhstan
		['36', '06 20 123 4567', '36201234567'],
		['225', '07 12 34 56 78', '2250712345678'],
		['39', '0331 776543', '390331776543'],
		['39', '331 776 5432', '393317765432'],
		['378', '0549 882345', '3780549882345'],
		['1', '(202) 555-0143', '12025550143'],
		['1', '12025550143', '12025550143'],
		['1', '(242) 359-1234', '12423591234'], // Bahamas
		['BS', '359-1234', '12423591234'],
		['44', '07781 123456', '447781123456'], // Guernsey
		['7', '79161234567', '79161234567'],
		['351', '912 345 678', '351912345678'],
	])('%s and %s are %s', (country, entered, digits) => expect(read(entered, country)).toBe(digits));

	test.each([
		['55', '1234', 'noSuchNumber'],
		['55', '+11912345678', 'noSuchNumber'],
		['55', '2025550143', 'noSuchNumber'],
		['55', '+011 91234-5678', 'noCountryCode'],
		['55', '000 91234-5678', 'noCountryCode'],
		['55', '0011', 'noSuchNumber'],
		['1', '359-1234', 'noSuchNumber'], // of which of the countries that share the code?
		['1', '011 55 11 91234-5678', 'noSuchNumber'],
		['US', '011 55 11 91234-5678', 'noSuchNumber'],
		['39', '(0)331 776543', 'severalNumbers'],
		['55', '2024-12-31', 'date'],
		['55', '123.456.789-09', 'taxId'],
		['55', '3333-4444/45', 'severalParts'],
	])('%s does not help %s', (country, entered, doubt) =>
		expect(read(entered, country)).toBe(doubt),
	);
});

describe('libphonenumber as the judge', () => {
	type Number = library.PhoneNumber;

	const mobiles = library
		.getCountries()
		.map((country) => library.getExampleNumber(country, examples)!);
	const numbers = [...mobiles, ...library.getCountries().flatMap(landlinesOf)];

	/** With its country code. */
	const international: Record<string, (number: Number) => string> = {
		'E.164': ({ number }) => number,
		spaced: (number) => number.formatInternational(),
		dotted: (number) => number.formatInternational().replace(/[ -]/g, '.'),
		'00': ({ number }) => number.replace('+', '00'),
		plain: ({ number }) => number.slice(1),
	};

	/** As it is dialed in its country. */
	const national: Record<string, (number: Number) => string> = {
		national: (number) => number.formatNational(),
		digits: ({ nationalNumber }) => nationalNumber,
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
		expect(results.filter(({ sent, right }) => sent && sent !== right)).toEqual([]);
		return results.filter(({ sent }) => sent === undefined).length / numbers.length;
	}

	test('there are examples of all countries', () => {
		expect(mobiles).toHaveLength(245);
		expect(numbers.length).toBeGreaterThan(700);
	});

	test.each(withHomes(international, ...Object.keys(homes)))(
		'%s, default country: %s: never another number',
		(spelling, home) => {
			const share = shareRefused(international[spelling]!, homes[home]!);
			// Where nothing says that a country code is one, a number may be read as two.
			const most =
				spelling !== 'plain' || home === 'none' ? 0 : home === 'another one' ? 0.1 : 0.03;
			expect(share).toBeLessThanOrEqual(most);
		},
	);

	test.each(withHomes(national, 'its calling code', 'its country'))(
		'%s, default country: %s: never another number',
		(spelling, home) => {
			expect(shareRefused(national[spelling]!, homes[home]!)).toBeLessThanOrEqual(0.06);
		},
	);

	test('without a country, brackets or a 0 in front name none', () => {
		const texts = numbers
			.map((number) => number.formatNational())
			.filter((text) => /^[(0]/.test(text));
		expect(texts.length).toBeGreaterThan(300);
		expect(texts.filter((text) => read(text) !== 'noCountryCode')).toEqual([]);
	});

	test('a digit lost or doubled: what the library lets through, and no more than 6 %', () => {
		const typos = mobiles.flatMap(({ number }) =>
			[...number].flatMap((digit, at) =>
				digit === '+'
					? []
					: ['', digit + digit].map((typo) => number.slice(0, at) + typo + number.slice(at + 1)),
			),
		);
		const sent = typos.filter((typo) => parsePhoneNumber(typo).doubt === undefined);
		expect(sent).toEqual(typos.filter((typo) => library.isValidPhoneNumber(typo)));
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
