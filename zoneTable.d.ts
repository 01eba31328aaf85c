/** The time zones of phone numbers by their prefix, country code first. */
export const zonesByPrefix: ReadonlyMap<string, readonly string[]>;
