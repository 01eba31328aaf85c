import { prefixesByZones } from './bundled';
import { entryOf } from './collections';
import { personOf, type NumberPlan } from './phoneNumber';
import { digitsOf } from './spelling';

/** The zones of numbers by their prefix: a letter says how many digits it has in common with the one before. */
const zonesByPrefix = new Map<string, string[]>();
for (const [zones, prefixes] of Object.entries(prefixesByZones)) {
	let prefix = '';
	for (const [, common, digits] of prefixes.matchAll(/([a-z])(\d+)/g)) {
		prefix = prefix.slice(0, parseInt(common!, 36) - 10) + digits;
		zonesByPrefix.set(prefix, zones.split('&'));
	}
}

/** Returns the zones of the longest prefix that is known. @param digits with country code */
const zonesOfPrefix = (digits: string): string[] =>
	digits === '' ? [] : (zonesByPrefix.get(digits) ?? zonesOfPrefix(digits.slice(0, -1)));

/** The zones of countries, by ISO 3166 code: Intl takes half a millisecond. */
const zonesByCountry = new Map<string, string[]>();

/** A method since Node 22, a property in Node 20, and neither in TypeScript's library. */
interface Locale extends Intl.Locale {
	getTimeZones?(): string[];
	timeZones?: string[];
}

function zonesOfCountry(country: string): string[] {
	const locale: Locale = new Intl.Locale(`und-${country}`);
	return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Mobiles have area codes in North America, Mexico, Argentina and Brazil. */
const withAreaCode = /^(?:1|5[245])/;

/**
 * Returns the time zones in which a number may be, none if they are not known: those of its prefix, or of its
 * country where a mobile has no area code. One that has moved keeps its own.
 *
 * @param recipient with + where the number is valid
 */
export function zonesOf(recipient: string, { country, kind }: NumberPlan): readonly string[] {
	if (country === undefined) return [];
	const digits = digitsOf(personOf(recipient));
	if (kind === 'landline' || (kind && withAreaCode.test(digits))) return zonesOfPrefix(digits);
	const zones = entryOf(zonesByCountry, country, () => zonesOfCountry(country));
	return zones.length > 0 ? zones : zonesOfPrefix(digits); // Intl has none of some islands
}
