import { flag, number, type Field } from '../field';

const returnAll = flag({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = number({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
});

/** Undefined: all. */
const wanted: Field<number | undefined> = {
	...limit,
	read: (item) => (returnAll.read(item) ? undefined : limit.read(item)),
};

export const limitFields = { returnAll, limit: wanted };
