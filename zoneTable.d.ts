export const prefixesByZones: Record<string, string>;
