/**
 * Numbers of all countries as people write them, with any default country, judged by Google's own
 * library. Without `npm run test:fuzz`, a part of them.
 */
import { writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import {
	PhoneNumberFormat,
	PhoneNumberType,
	PhoneNumberUtil,
	type PhoneNumber,
} from 'google-libphonenumber';
import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { parseHomeCountry } from '../../nodes/text/country';
import { parsePhoneNumber, type Doubt } from '../../nodes/text/phoneNumber';

const { FUZZ_REPORTS: reports, FUZZ_SEED: seed = '1' } = process.env;
const google = PhoneNumberUtil.getInstance();
const regions = google.getSupportedRegions();
const types = Object.values(PhoneNumberType).filter(
	(type): type is PhoneNumberType => Number(type) >= 0,
);

type Form = (number: PhoneNumber) => string;

const international: Form = (number) => google.format(number, PhoneNumberFormat.INTERNATIONAL);
const digitsOf: Form = (number) => google.format(number, PhoneNumberFormat.E164).slice(1);
const regionOf = (number: PhoneNumber) => google.getRegionCodeForNumber(number)!;
const typeOf = (number: PhoneNumber) => google.getNumberType(number);
const isMobile = (number: PhoneNumber) =>
	[PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE].includes(typeOf(number));

/** By whether they name the country for certain. */
const abroad: Form[] = [international, (number) => international(number).replace('+', '00')];
const atHome: Form[] = [
	(number) => google.format(number, PhoneNumberFormat.NATIONAL),
	(number) => international(number).replace(/^\+\d+[ -]?/, ''),
	(number) => international(number).slice(1),
];

const inDigits = (zero: string) => (text: string) =>
	text.replace(/\d/g, (digit) => String.fromCodePoint(zero.codePointAt(0)! + Number(digit)));
const plain = (text: string) => text;
const spellings: Array<typeof plain> = [
	plain,
	(text) => text.replace(/[ -]/g, '.'),
	(text) => text.replace(/ /g, '-'),
	(text) => text.replace(/[ -]/g, '\u00a0\u2013 '),
	(text) => text.replace(/[^+\d]/g, ''),
	(text) => inDigits('０')(text).replace('+', '＋').replace(/ /g, '\u3000'),
	inDigits('٠'),
	inDigits('۰'),
	(text) => `'${text}`,
	(text) => ` tel:${text}\u202c `,
];

/** What Google's library makes of a number that names no country. */
function readAtHome(text: string, home: string): PhoneNumber | undefined {
	const code = /^\d+$/.test(home) ? Number(home) : google.getCountryCodeForRegion(home);
	const region = /^\d+$/.test(home) ? google.getRegionCodeForCountryCode(code) : home;
	const digits = text.replace(/\D/g, '');
	if (digits.startsWith('00')) {
		// International by the rule, even where numbers begin with 00 at home, as in Tajikistan.
		const number = parse(`+${digits.slice(2)}`);
		return number && google.isValidNumber(number) ? number : undefined;
	}
	const written = digits.startsWith(String(code)) ? [parse(`+${digits}`)] : [];
	const valid = [...written, parse(text, region)].filter(
		(number) => number && google.isValidNumber(number) && number.getCountryCode() === code,
	);
	return valid.find((number) => isMobile(number!)) ?? valid[0];
}

function parse(text: string, region?: string): PhoneNumber | undefined {
	try {
		return google.parse(text, region);
	} catch {
		return undefined; // what is no number is thrown
	}
}

/** Undefined: it has to be refused. @param doubt ours: after how many equal digits is up to us */
function right(
	number: PhoneNumber | undefined,
	spelled: string,
	doubt: Doubt | undefined,
): string | undefined {
	if (!number) return undefined;
	const { PREMIUM_RATE, SHARED_COST, TOLL_FREE } = PhoneNumberType;
	const refused = [PREMIUM_RATE, SHARED_COST, TOLL_FREE];
	if (refused.includes(typeOf(number))) return undefined;
	if (doubt === 'placeholder' && /(\d)\1{6}$/.test(digitsOf(number))) return undefined;
	if (/^\W*(00)?[1-9]\d{5,}0{6}\W*$/.test(spelled)) return undefined; // as a spreadsheet rounds
	if (isIPv4(spelled) && /\d{3}.*\d{3}/.test(spelled)) return undefined; // unlike 22.12.34.56
	return digitsOf(number);
}

const figures = {
	cases: 0,
	sent: 0,
	'refused rightly': 0,
	'another by the rule': 0,
	/** Numbers that the data of the one library has no more, being newer than that of the other. */
	'of newer data': 0,
};
const findings: string[] = [];

/** Checks a number in one of the forms, with a default country, in several spellings. */
function check(meant: PhoneNumber, form: Form, home: string, spells: Array<typeof plain>): void {
	const text = form(meant);
	const judged = abroad.includes(form) ? meant : home === '' ? undefined : readAtHome(text, home);
	if (judged && !isValidPhoneNumber(`+${digitsOf(judged)}`)) {
		figures['of newer data'] += spells.length;
		return;
	}
	const isOwn = home === String(meant.getCountryCode()) || home === regionOf(meant);
	for (const spell of spells) {
		const spelled = spell(text);
		const { digits, doubt } = parsePhoneNumber(spelled, parseHomeCountry(home));
		const expected = right(judged, spelled, doubt);
		const sent = doubt ? undefined : digits;
		figures.cases++;
		figures[sent ? 'sent' : 'refused rightly']++;
		if (sent !== expected) {
			findings.push(`'${spelled}', default '${home}': ${sent ?? doubt}, not ${expected}`);
		}
		if (!sent || !isOwn || sent === digitsOf(meant)) continue;
		// Where what is meant can be a mobile without its country code, nobody can know.
		figures['another by the rule']++;
		if (isMobile(meant) || !isMobile(judged!)) findings.push(`'${spelled}' is ${digitsOf(meant)}`);
	}
}

afterAll(() => {
	if (reports) writeFileSync(path.join(reports, 'numbers.json'), JSON.stringify(figures));
});
afterEach(() => {
	expect(findings.splice(0)).toEqual([]);
	expect(figures['of newer data']).toBeLessThan(figures.cases / 50);
});

test('the examples of all countries and types', () => {
	let at = 0;
	for (const region of regions) {
		for (const type of types) {
			const number = google.getExampleNumberForType(region, type);
			if (!number) continue;
			for (const home of ['', region, String(number.getCountryCode()), 'BR', '1', 'DE']) {
				for (const form of [...abroad, ...atHome]) {
					if (reports) check(number, form, home, spellings);
					else if (++at % 29 === 0) check(number, form, home, [spellings[at % spellings.length]!]);
				}
			}
		}
	}
});

test('random mobiles without +', () => {
	for (const region of regions) {
		const example = google.getExampleNumberForType(region, PhoneNumberType.MOBILE);
		for (const number of example ? like(example) : []) {
			for (const form of atHome) check(number, form, regionOf(number), [plain]);
		}
	}
});

/** Mobiles with some of its first digits. */
function like(example: PhoneNumber): PhoneNumber[] {
	const known = google.getNationalSignificantNumber(example);
	const tries = fc.record({
		kept: fc.nat(known.length - 2),
		random: fc.stringMatching(new RegExp(`^\\d{${known.length}}$`)),
	});
	return fc
		.sample(tries, { seed: Number(seed), numRuns: reports ? 1000 : 5 })
		.map(({ kept, random }) => known.slice(0, kept) + random.slice(kept))
		.map((national) => parse(`+${example.getCountryCode()}${national}`)!)
		.filter((number) => number && google.isValidNumber(number) && isMobile(number));
}
