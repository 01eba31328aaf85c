import { flag, number } from '../field';
import type { Item } from '../item';

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

export const limitFields = [returnAllField, limitField];

/** How many results are wanted; undefined: all. @throws NodeOperationError when it is no number */
export const readLimit = (item: Item): number | undefined =>
	returnAllField.read(item) ? undefined : limitField.read(item);
