import type { OncePer } from '../../nodes/form/fields/deduplication';

/** The option 'Deduplication', for a node's options. */
export const onceBy = (key: string, oncePer: OncePer = 'key') => ({
	deduplication: { values: { key, oncePer } },
});
