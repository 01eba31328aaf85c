import { zonesByPrefix } from './bundled';
import { entryOf } from './collections';
import { personOf, type NumberPlan } from './phoneNumber';
import { digitsOf } from './spelling';

/** Returns the zones of the longest prefix that is known. @param digits with country code */
const zonesOfPrefix = (digits: string): readonly string[] =>
	digits === '' ? [] : (zonesByPrefix.get(digits) ?? zonesOfPrefix(digits.slice(0, -1)));

/** The zones of countries, by ISO 3166 code: Intl takes half a millisecond. */
const zonesByCountry = new Map<string, readonly string[]>();

/** Node 20 has a property, Node 22 a method, and TypeScript's library neither. */
type Locale = Intl.Locale & { getTimeZones?(): string[]; timeZones?: string[] };

/** Mobiles have area codes in North America, Mexico, Argentina and Brazil. */
const withAreaCode = /^(?:1|5[245])/;

/**
 * Returns the time zones in which a number may be, none if they are not known: those of its prefix, or of its
 * country where a mobile has no area code. One that has moved keeps its own.
 */
export function zonesOf(recipient: string, { country, kind }: NumberPlan): readonly string[] {
	if (country === undefined) return [];
	const digits = digitsOf(personOf(recipient));
	if (kind === 'landline' || (kind && withAreaCode.test(digits))) return zonesOfPrefix(digits);
	const zones = entryOf(zonesByCountry, country, () => {
		const locale: Locale = new Intl.Locale(`und-${country}`);
		return locale.getTimeZones?.() ?? locale.timeZones ?? [];
	});
	return zones.length > 0 ? zones : zonesOfPrefix(digits); // Intl has none of some islands
}
