import fc from 'fast-check';
import * as library from 'libphonenumber-js/max';

import { parseDefaultCountry } from '../../../nodes/text/country';
import { parsePhoneNumber, personOf, withPlus } from '../../../nodes/text/phoneNumber';
import { mobiles, numbersOfType } from '../support/numbers';

const brazil = '5511912345678';

const read = (entered: string, country = '') => {
	const { digits, problem } = parsePhoneNumber(entered, parseDefaultCountry(country));
	return problem?.what ?? digits;
};

function expectRead(texts: readonly string[], expected: unknown, country = ''): void {
	for (const text of texts) {
		const shown = text.slice(0, 60);
		expect([shown, read(text, country)]).toEqual([shown, expected]);
	}
}

test.each<[unknown, unknown]>([
	[brazil, `+${brazil}`],
	[Number(brazil), `+${brazil}`],
	['51987654321', '+51987654321'], // of Peru, though a Brazilian may dial it, too
	...[
		...[`+${brazil}`, '+55 11 91234-5678', '28282', '0123456789', 'support', '', null, undefined],
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
		[brazil, ['(+55 11) 91234-5678', '+55 (011) 91234-5678', `+55${' '.repeat(60)}11912345678`]],
		[brazil, ['\u202a+55 11 91234\u20135678\u202c', '+55\u00a011\u201391234\u20115678']],
		[brazil, ["'+55 11 91234-5678", '\u2019+55 11 91234-5678', "'Tel: +55 11 91234-5678"]],
		[brazil, ['tel:+55-11-91234-5678', 'Phone: +55 11 91234-5678', 'Ana <+55 11 91234-5678>']],
		[brazil, ['＋５５　（１１）　９１２３４－５６７８', '+٥٥ ١١ ٩١٢٣٤ ٥٦٧٨', '۰۰۵۵ ۱۱ ۹۱۲۳۴ ۵۶۷۸']],
		[brazil, ['5511912345678@c.us', '5511912345678@s.example.net', 'chatapp:+5511912345678']],
		[brazil, ['5511912345678:12@s.example.net', 'https://wa.example/5511912345678']],
		[brazil, ['https://wa.example/+5511912345678/?text=Hi', '+55.11912345678']],
		[brazil, ['+55 11 91234\u22125678']],
		[brazil, ['Cel. +55 11 91234-5678', 'Ana (mãe): +55 11 91234-5678', '📱 +55 11 91234-5678']],
		[brazil, ['+55 11 91234-5678 (WhatsApp)', '+55 11 91234-5678 / chat', '(+55 11 91234-5678)']],
		[brazil, ['Tel/WhatsApp: +55 11 91234-5678', 'Cel.+55 11 91234-5678', '「+5511912345678」']],
		['819012345678', ['電話：+81 90-1234-5678', '+81 90\u30fc1234\u30fc5678']],
		[brazil, ['Tel 1: +55 11 91234-5678', '2) +55 11 91234-5678', '• +55 11 91234-5678']],
		[brazil, ['+5511912345678,', '+5511912345678;', '+55 11 91234-5678.', '"+5511912345678"']],
		[brazil, ['="+5511912345678"', '["+5511912345678"]', '{"phone":"+5511912345678"}']],
		[brazil, ['+55 (0xx11) 91234-5678', '+55 0xx 11 91234-5678', '+55_11_91234_5678']],
		[brazil, ['wa.example/5511912345678', 'chat://send?phone=5511912345678']],
		[brazil, ['https://wa.example/send?text=Hi&phone=%2B5511912345678&x=1', '+5511912345678.0']],
		[brazil, ['+55 [11] 91234-5678', '+55 11 91234~5678', '#1: +55 [11] 91234-5678']],
		[brazil, ['sms:+5511912345678?body=Oi', 'sms:+55-11-91234-5678?body=Order%204711 @ana']],
		[brazil, ['https://x.example/?to=+5511912345678', '100% Ana +55 11 91234-5678']],
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
	])('%s: %j', (digits, texts) => expectRead(texts, digits));
});

const noNumber = 'is not a phone number';
const list = 'contains more than one phone number';
const several = 'can be read as more than one number';
const noCountryCode = 'has no country code';
const placeholder = 'is a placeholder, not a number';
const rounded = 'seems to be rounded';

describe('what is not certainly one number', () => {
	test.each([
		[noNumber, ['', ' ', '+', '5511912345678 +5511', 'Ana <ana>']],
		[noNumber, ['https://example.com/orders/5511912345678', '5,511,912,345,678']],
		[noNumber, ['https://example.com/?to=5511912345678', '-5511912345678', '+-5511912345678']],
		[noNumber, ['.5511912345678', '5511912345678\n1', '1\t2345678']],
		[noNumber, ['+55 11 91234-5678\u00b2']],
		[noNumber, ['5511912345678@lid', '5511912345678-1600000000@g.us', 'group@g.us']],
		[noNumber, ['+5511912345678@lid', 'ana+5511912345678@example.com', 'R$ +5511912345678']],
		[noNumber, ['+55 11 91234-5678 ramal 12?x=1', 'sms:5511912345678a?body=Oi']],
		[noNumber, ['ana@example.com', '5511912345678@example.net', '#ERROR!', '#N/A', '#DIV/0!']],
		[noNumber, ['+1 202-555-0143 x2', '+1 202-555-0143#2', 'tel:+1-202-555-0143;ext=12']],
		[noNumber, ['+55 11 3333-4444/45', '33334444/45', '+49 33203 / 12345 / 1']], // extensions
		[noNumber, ['+1 202-555-0143 (2)', '+1 202-555-0143 (2', '+1 202-555-0143 (1234)']],
		[noNumber, ['+49 201/123', '+49 (201) 123', '12.345.678/0001-95', '+5', '+99912345678']],
		[noNumber, ['5511912345678.5', '5511912345678.000', '551191234.5678', '55 11 91234-5678.0']],
		['is too short for Brazil (+55)', ['+55 11 CALL-NOW', 'Ana <+55 11']],
		[noNumber, ['2024-12-31', '2024.12.31', '2024/12/31', '31-12-2024', '12/31/2024']],
		[
			noNumber,
			[
				'31.12.2024',
				'1-2-2024',
				'01-02-2024',
				'1/12/2024',
				'12.1.2024',
				'21-01-2024',
				'31-30-2024',
			],
		],
		[noNumber, ['2024\u201312\u201331', ' 2024-12-31 ', '31.12.2024 10.30', '2024-12-31 9.05.59']],
		[noNumber, ['192.168.100.200', '255.255.255.255', '192.168.1.20', '+99 99999-9999']],
		[noNumber, ['123.456.789-09', '123.456.789\u201009']], // CPF
		[noNumber, ['Order #5511912345678', '@5511912345678', 'R$ 5511912345678', 'ID5511912345678']],
		[noNumber, ['151 +49 23456789', 'CPF 11912345678', '5511912345678a']],
		[noNumber, ['+55 11 3333-4444 ramal 12', '+5511912345678+5511987654321']],
		[list, ['+55 11 91234-5678; 91234-8765', '5511912345678,5511987654321']],
		[list, ['5511912345678 | 5521999998888', '11 91234-5678 ou 11 98765-4321']],
		[list, ['+55 11 91234-5678 or +55 21 99876-5432', '+55 11 91234-5678 / 91234-8765']],
		[placeholder, ['+55 11 99999-9999', '+55 11 98888-8888', '+1 202 555 5555', '+65 8888 8888']],
		[noCountryCode, ['(00) 00000-0000', '11111111111', '99999999']],
		[rounded, ['5.51191E+12', '5,51191e12', '+5.51191E+12', '5.5e12', '5511910000000']],
		[rounded, ['+5511910000000', '005511910000000', '447911000000', '5.51191234568E+12']],
		[noCountryCode, [brazil, '11 91234-5678', '2025550143', '55.11.91234.5678', '5', '1234567']],
		[noCountryCode, ['011 91234-5678', '(011) 91234-5678', '(0)11 91234-5678']],
		[noCountryCode, ['+011 91234-5678', '((011) 91234-5678', '000 55 11 912345678']],
		[noCountryCode, ['+0 11 91234-5678', '(51) 99123-4567', '( 55 ) 11 91234-5678']],
		[several, ['+39 (0)331 776543', '0039(0)331 776543', '(+39) (0)331 776543']],
	] as const)('%s: %j', (what, texts) => expectRead(texts, what));

	const brazilian = 'Brazil (+55)';
	const notBrazilian = `is not a valid number for ${brazilian}`;
	const another = 'One of another country needs + and its country code.';

	test.each([
		['+55 11 9123-456', '', notBrazilian, 'with + and its country code'],
		['+55 11 91234-56789', '', `is too long for ${brazilian}`, 'e.g. +55 11 96123 4567.'],
		['+52 1 55 1234 56789', '', 'is too long for Mexico (+52)', 'e.g. +52 222 123 4567.'],
		['97123456', 'BJ', 'is too short for Benin (+229)', `e.g. 01 95 12 34 56. ${another}`],
		['1234', '56', 'is too short for Chile (+56)', `e.g. (2) 2123 4567. ${another}`],
		['912345678', '55', notBrazilian, `e.g. (11) 96123-4567. ${another}`],
		['351912345678', '55', `is too long for ${brazilian}`, another],
		['555-0143', '1', 'is too short for country code +1', 'e.g. (201) 555-0123.'],
		['(00) 91234-5678', '55', notBrazilian, ''], // not +91, India
		['011 55 11 91234-5678', '1', 'is too long for country code +1', ''],
		['51 99876-5432', '', noCountryCode, "Set 'Default Country Code' in the credential: "],
		['51 99876-5432', '', noCountryCode, ', or the word included if all digits begin with theirs'],
		['51 99876-5432', 'included', noCountryCode, "'Default Country Code' is 'included': enter"],
		['00000000000', '55', noNumber, `e.g. (11) 96123-4567. ${another}`],
		['+011 91234-5678', '55', noNumber, another],
		['919-999-1234', '55', notBrazilian, another],
		['(11) 99999-9999', '55', placeholder, another],
		['5511910000000', '55', rounded, 'can be written with + and spaces'],
		['ana@example.com', 'US', noNumber, 'e.g. (201) 555-0123.'],
		['+39 (0)331 776543', '', several, 'as the one you mean: +39 0331 776543 or +39 331 776 543.'],
	])('%s, default country %j: %s', (entered, country, what, hint) => {
		const { problem } = parsePhoneNumber(entered, parseDefaultCountry(country));
		expect(problem).toEqual({ what, hint: expect.stringContaining(hint) });
	});
});

describe('the country of numbers that name none', () => {
	/** As each country writes its own: the judge below. */
	test.each<[string, string, string[]]>([
		['55', brazil, ['(11) 91234-5678', '011 91234-5678', '(011) 91234-5678', '(0)11 91234-5678']],
		['55', brazil, ['0 15 11 91234-5678', '(55) 11 91234-5678', brazil]], // 15 is a carrier
		['55', '551133334444', ['(11) 3333-4444']],
		['55', '553187654321', ['3187654321', '31 87654321', '(31) 8765-4321', '031 8765 4321']],
		['55', '553187654321', ['31.8765.4321']],
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
	])('%s: %s are %j', (country, digits, texts) => expectRead(texts, digits, country));

	test.each([
		['55', 'valid', ['+11912345678', '2025550143', '+55 91234-5678', '912345678']],
		['55', 'too', ['1234', '351912345678']],
		['US', 'code +1', ['5511912345678', '011 55 11 91234-5678']],
		['55', noNumber, ['+011 91234-5678', '000 91234-5678', '00000000000']],
		['1', 'too short', ['359-1234']], // of which of the countries that share the code?
		['BR', placeholder, ['(11) 99999-9999', '11 9999-9999']],
		['39', several, ['(0)331 776543']],
		['BR', several, ['47 9123-4567']], // a mobile of Norway
		['55', noNumber, ['2024-12-31', '123.456.789-09', '3333-4444/45']],
	])('%s does not help, %s: %j', (country, what, texts) =>
		expectRead(texts, expect.stringContaining(what), country),
	);
});

describe("digits whose country code is 'included'", () => {
	test.each<[string, string[]]>([
		['5511912345678', ['+55 11 91234-5678', '0055 11 91234-5678', ' 5511912345678 ']],
		['5511912345678', ["'5511912345678", '5511912345678.0', '5511912345678@c.us']],
	])('%s: %j', (digits, texts) => expectRead(texts, digits, 'Included'));

	test.each([
		[noCountryCode, ['51 99876-5432', '(51) 99876-5432', '51-99876-5432', '55.11.91234.5678']],
		[noCountryCode, ['1234567', '28282', '011912345678', '00000000000', '1234567890123456']],
		['is too short for Brazil (+55)', ['55119123']],
		[rounded, ['5511910000000']],
		[placeholder, ['5511999999999']],
		[noNumber, ['ana@example.com', '5511912345678@lid']],
	])('%s: %j', (what, texts) => expectRead(texts, what, 'included'));
});

test('digits of all scripts', () => {
	const codes = Array.from({ length: 0x11_0000 }, (_, code) => code);
	const digits = codes.filter((code) => /\p{Nd}/u.test(String.fromCodePoint(code)));
	expect(digits.length).toBeGreaterThan(600);
	// Unicode's Numeric_Value, as Intl writes it: each script has a row from 0 to 9.
	const written = Intl.supportedValuesOf('numberingSystem').map((system) => {
		const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
		return format.format(5_511_912_345_678);
	});
	const inDigits = written.filter((text) => /^\p{Nd}+$/u.test(text));
	expect(inDigits.length).toBeGreaterThan(60);
	for (const text of inDigits) expect([text, read(`+${text}`)]).toEqual([text, brazil]);
});

describe('one person', () => {
	test.each([
		['553187654321', '5531987654321', ['+55 31 8765-4321', '553187654321@c.us']],
		['553199123456', '5531999123456', ['+55 31 9912-3456', '+553199123456']],
		['5215512345678', '525512345678', ['+52 1 55 1234 5678', '00521 55 12 34 56 78']],
	])('%s is %s today', (old, today, texts) => {
		for (const text of texts) {
			expect(parsePhoneNumber(text)).toMatchObject({ digits: old, today });
			expect(parsePhoneNumber(text)).not.toHaveProperty('problem');
		}
		expect([old, today, `+${old}`].map(personOf)).toEqual([today, today, `+${today}`]);
	});

	test.each<[string, string]>([
		['+55 11 91234-567', ''], // where chat apps have the ninth digit
		['+551191234567', ''],
		['11 91234-567', '55'],
		['+55 31 99123-456', ''], // grouped as a new one
		['919-999-1234', '55'], // as other countries write it
		...['(919) 999-1234', '919.999.1234', '919 9991234', '91 99 99 12 34'].map(
			(text): [string, string] => [text, 'BR'],
		),
		['+55 919-999-1234', ''],
	])('%s has lost a digit or is not grouped as in Brazil: it is no old number', (text, home) => {
		const { digits, problem } = parsePhoneNumber(text, parseDefaultCountry(home));
		expect(digits).toBeUndefined();
		expect(problem?.what).toMatch(/is not a (valid number for Brazil|phone number)/);
	});

	test('all others are only themselves', () => {
		const numbers = numbersOfType('mobile', 3).map(({ number }) => number);
		const others = numbers.filter((number) => personOf(number) !== number);
		// Brazil still has mobiles without the ninth digit.
		expect(others.filter((number) => !/^\+55\d\d7\d{7}$/.test(number))).toEqual([]);
		const none = ['553133334444', '541', '54800123456', '5211234', 'Ana', '', '+5531987654321'];
		for (const text of none) expect(personOf(text)).toBe(text);
	});
});

describe('libphonenumber as the judge', () => {
	type Number = library.PhoneNumber;

	const numbers = [...mobiles, ...numbersOfType('landline', 3)].filter(
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
		included: () => 'included',
	};

	const withHomes = (spellings: object, names: string[], refused: [from: number, to: number]) =>
		Object.keys(spellings).flatMap((spelling) =>
			names.map((home) => [spelling, home, refused] as const),
		);

	/** How large a part is refused; fails if one goes to another number. */
	function shareRefused(spell: (number: Number) => string, homeOf: (number: Number) => string) {
		const results = numbers.map((number) => {
			const text = spell(number);
			const { problem, digits } = parsePhoneNumber(text, parseDefaultCountry(homeOf(number)));
			return { text, right: number.number.slice(1), sent: problem ? undefined : digits };
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

	/** Seven digits are too few to know. */
	const tooFew = numbers.filter(({ number }) => number.length < 9).length / numbers.length;

	test.each([
		...withHomes(international, Object.keys(homes), [0, 0]),
		// A landline may be somebody's mobile abroad.
		...withHomes(atHome, ['its calling code', 'its country'], [0, 0.005]),
		...withHomes(atHome, ['none'], [1, 1]),
		['with its code', 'included', [tooFew, tooFew]] as const,
	])('%s, default country: %s: that number, or refused in %j', (spelling, home, [from, to]) => {
		const share = shareRefused({ ...international, ...atHome }[spelling]!, homes[home]!);
		expect([share >= from, share <= to]).toEqual([true, true]);
	});

	test.each(['national', 'spaced'])("%s without +, default: 'included': none", (spelling) => {
		const spell = (number: Number) =>
			({ ...atHome, ...international })[spelling]!(number).replace('+', '');
		const written = numbers.filter((number) => /\D/.test(spell(number)));
		expect(
			written.filter((number) => !parsePhoneNumber(spell(number), 'included').problem),
		).toEqual([]);
	});

	test.each(Object.keys(atHome))('%s, default country: another: none outside it', (spelling) => {
		for (const country of ['BR', 'DE', 'US'] as const) {
			const home = parseDefaultCountry(country);
			const codes = numbers.flatMap((number) => {
				const { digits, problem } = parsePhoneNumber(atHome[spelling]!(number), home);
				return problem ? [] : [library.default(`+${digits}`)!.countryCallingCode];
			});
			expect([...new Set(codes)]).toEqual([library.getCountryCallingCode(country)]);
		}
	});

	test('a digit lost or doubled: what the library lets through, and no more than 6 %', () => {
		const typosOf = (number: string) =>
			[...number.slice(1)].flatMap((digit, at) =>
				['', digit + digit].map((typo) => number.slice(0, at + 1) + typo + number.slice(at + 2)),
			);
		const typos = mobiles.flatMap(({ number }) => typosOf(number));
		const sent = typos.filter((typo) => !parsePhoneNumber(typo).problem);
		expect(sent.filter((typo) => !library.isValidPhoneNumber(personOf(typo)))).toEqual([]);
		expect(sent.length / typos.length).toBeLessThanOrEqual(0.06);
	});
});

test('whatever is entered: the digits of a number that exists, or a doubt', () => {
	fc.assert(
		fc.property(
			fc.oneof(fc.string(), fc.stringMatching(/^[-+ ()/.\d]{0,20}$/)),
			fc.constantFrom('', '55', '1', 'IT'),
			(text, country) => {
				const number = parsePhoneNumber(text, parseDefaultCountry(country));
				if (number.problem) return;
				expect(library.isValidPhoneNumber(`+${number.digits}`)).toBe(true);
				expect(text.replace(/\D/g, '')).toContain(number.digits!.slice(-4));
			},
		),
		{ numRuns: 2000 },
	);
});
