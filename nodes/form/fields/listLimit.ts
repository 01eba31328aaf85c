import { flag, number } from '../field';
import type { Reader } from '../item';

const returnAllField = flag({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limitField = number({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
});

/** The limit is undefined where all results are wanted. */
export const listLimitFields = {
	returnAll: returnAllField,
	limit: {
		...limitField,
		read: (item: Reader) => (returnAllField.read(item) ? undefined : limitField.read(item)),
	},
};
