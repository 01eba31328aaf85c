import fc from 'fast-check';

import {
	parseCountryCode,
	parsePhoneNumber,
} from '../../../nodes/MessagingGateway/fields/phoneNumber';

const brazil = '5511912345678';

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
	['( 55 ) 11 91234-5678', brazil],
	['\u202a+55 11 91234\u20135678\u202c', brazil],
	['55\u00a011\u201391234\u20115678', brazil],
	['55-11-2024-5678', '551120245678'],
	['  12345678 ', '12345678'],
	['123456789012345', '123456789012345'],
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
	['+39 331 776543', '39331776543'],
	['+39 0331 776543', '390331776543'],
	['+378 0549 882345', '3780549882345'],
	['+377 (0)93 30 66 00', '37793306600'],
	['+10.20.30.40.50', '1020304050'],
	[`55${' '.repeat(37)}11912345678`, brazil],
])('%s is %s', (entered, digits) => {
	expect(parsePhoneNumber(entered)).toEqual({ digits });
});

test.each([
	['length', ['5', '1234567', '1234567890123456', '00 123 4567', '+55 11 91234-5678 91234-8765']],
	[
		'noNumber',
		[
			...['', ' ', '+', '+55 11 CALL-NOW', '5511912345678@g.us', '5511912345678 +5511'],
			...['5.5e12', '5,511,912,345,678', '+55 11 91234-5678; 91234-8765', '-5511912345678'],
			...['5511912345678.', '.5511912345678', '+-5511912345678', '5511912345678\n1', '1\t2345678'],
			...['+1 202-555-0143 x2', '+1 202-555-0143#2', '++5511912345678', '５５11912345678'],
			...[`55${' '.repeat(38)}11912345678`, `(${'( '.repeat(100_000)}`],
		],
	],
	['noCountryCode', ['011 91234-5678', '(011) 91234-5678', '(0)11 91234-5678', '+011 91234-5678']],
	['noCountryCode', ['((011) 91234-5678']],
	['noCountryCode', ['000 55 11 912345678', '0 11 91234-5678', '+0 11 91234-5678']],
	['innerZero', ['+55 (011) 91234-5678', '55 (011) 91234-5678', '55 (0)11 91234-5678']],
	['innerZero', ['+44 (0)20 (0)7946 0958', '+44 (020) 7946 0958', '+39 ( 06) 698 12345']],
	['innerZero', ['+44 20 (0)7946 0958', '+55 - (011) 91234-5678']],
	['innerZero', ['+39 (0)331 776543', '0039(0)331 776543', '(+39) (0)331 776543']],
	['innerZero', ['+378 (0)549 882345', '+379 ( 0 )6 698 12345']],
	['severalParts', ['+55 11 3333-4444/45', '33334444/45', '+55 11 91234-5678 / 91234-8765']],
	['severalParts', ['+1 202-555-0143 (2)', '+1 202-555-0143 (2', '+1 202-555-0143 (1234)']],
	['severalParts', ['+49 201/123', '+49 (201) 123', '12.345.678/0001-95', '55 11 (912345678)']],
	['decimals', ['5511912345678.0', '5511912345678.00', '5511912345678.5', '+5511912345678.0']],
	['decimals', ['551191234.5678', '005511912345678.0', '55 11 91234-5678.0', '1.202555']],
	['decimals', ['+1.2025', '+55.1191']],
	['date', ['2024-12-31', '2024.12.31', '2024/12/31', '31-12-2024', '12/31/2024', '31.12.2024']],
	['date', ['1-2-2024', '01-02-2024', '1/12/2024', '12.1.2024', '21-01-2024', '31-30-2024']],
	['date', ['2024\u201312\u201331', ' 2024-12-31 ', '31.12.2024 10.30', '2024-12-31 9.05.59']],
	['ipAddress', ['192.168.100.200', '255.255.255.255', '10.20.30.40', '192.168.1.20']],
	['taxId', ['123.456.789-09', '123.456.789\u201009']],
] as const)('%s keeps a number from being told: %j', (doubt, texts) => {
	for (const text of texts) expect([text, parsePhoneNumber(text)]).toEqual([text, { doubt }]);
});

test('what only resembles something else is a number', () => {
	for (const [text, digits] of [
		['+55.119.123.200', '55119123200'],
		['256.168.100.200', '256168100200'],
		['32-12-2024', '32122024'],
		['2024-12-312', '202412312'],
		['1-2024-12-31', '120241231'],
		['31-12-2024-1', '311220241'],
		['31.20.2024 123', '31202024123'],
		['+39 06 69.88.10.30', '390669881030'],
		['10.20.30.40.55', '1020304055'],
		['123.456.7890-9', '12345678909'],
		['123.456.789-091', '123456789091'],
		['1123.456.789-09', '112345678909'],
	]) {
		expect([text, parsePhoneNumber(text!)]).toEqual([text, { digits }]);
	}
});

describe('a country code for numbers that have none', () => {
	test.each([
		['55', '(11) 91234-5678', brazil],
		['55', '011 91234-5678', brazil],
		['55', '(011) 91234-5678', brazil],
		['55', '(0)11 91234-5678', brazil],
		['55', '11912345678', brazil],
		['55', '(11) 3333-4444', '551133334444'],
		['55', '55 99123-4567', '5555991234567'], // 55 is an area of Brazil, too
		['55', '551133334444', '551133334444'], // more than 11 digits: it has its own
		['55', '+11912345678', '11912345678'],
		['55', '0044 20 7946 0958', '442079460958'],
		['39', '0331 776543', '390331776543'],
		['39', '(0)331 776543', '390331776543'],
		['39', '331 776 5432', '393317765432'],
		['378', '0549 882345', '3780549882345'],
		['1', '(202) 555-0143', '12025550143'],
		['1', '12025550143', '12025550143'],
		['7', '79161234567', '79161234567'],
		['351', '912 345 678', '351912345678'],
	])('%s and %s are %s', (countryCode, entered, digits) => {
		expect(parsePhoneNumber(entered, countryCode)).toEqual({ digits });
	});

	test.each([
		['55', '1234', 'length'],
		['55', '0 15 11 91234-5678', 'noCountryCode'],
		['55', '+011 91234-5678', 'noCountryCode'],
		['1', '011 55 11 91234-5678', 'noCountryCode'],
		['55', '0011', 'length'],
		['55', '000 91234-5678', 'noCountryCode'],
	])('%s does not help %s', (countryCode, entered, doubt) => {
		expect(parsePhoneNumber(entered, countryCode)).toEqual({ doubt });
	});

	test.each([
		['55', '55'],
		['+55', '55'],
		['0055', '55'],
		[' 351 ', '351'],
		['1', '1'],
		['', undefined],
		['0', undefined],
		['055', undefined],
		['5555', undefined],
		['55 ,', undefined],
		['BR', undefined],
	])('%j is %j', (entered, code) => {
		expect(parseCountryCode(entered)).toBe(code);
	});
});

const prefix = fc.constantFrom('+', '00', '+ ', '00 ', '+00');
const between = fc.constantFrom(' ', '-', ' - ', '\u2011', '\u00a0', '\u2013');

test('one number, however it is spelled, is the same digits', () => {
	const digits = (min: number, max: number) =>
		fc.stringMatching(new RegExp(`^[1-9][0-9]{${min - 1},${max - 1}}$`));
	const spelled = fc.record({
		prefix,
		country: digits(1, 3).filter((code) => !/^(39|378|379)/.test(code)), // they keep the 0
		area: digits(2, 4),
		brackets: fc.boolean(),
		trunk: fc.constantFrom('', ' (0)', '(0) '),
		number: fc.array(digits(2, 4), { minLength: 2, maxLength: 2 }),
		between,
	});
	fc.assert(
		fc.property(
			spelled,
			({ prefix: front, country, area, brackets, trunk, number, between: gap }) => {
				const shown = brackets && trunk === '' ? ` (${area}) ` : `${trunk || gap}${area}${gap}`;
				const text = front + country + shown + number.join(gap);
				const whole = country + area + number.join('');
				fc.pre(whole.length >= 8);
				expect([text, parsePhoneNumber(text)]).toEqual([text, { digits: whole }]);
				expect(parsePhoneNumber(text, '55')).toEqual({ digits: whole });
			},
		),
	);
});

test('whatever is entered: 8 to 15 digits that do not begin with 0, in their order, or a doubt', () => {
	fc.assert(
		fc.property(
			fc.oneof(fc.string(), fc.stringMatching(/^[-+ ()/.\d]{0,20}$/)),
			fc.constantFrom('', '55', '1'),
			(text, countryCode) => {
				const { digits, doubt } = parsePhoneNumber(text, countryCode);
				expect(digits === undefined).toBe(doubt !== undefined);
				if (digits === undefined) return;
				expect(digits).toMatch(/^[1-9]\d{7,14}$/);
				expect(countryCode + text.replace(/\D/g, '')).toContain(digits.slice(-6));
			},
		),
		{ numRuns: 2000 },
	);
});
