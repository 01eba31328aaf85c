import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item';

export const limitFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** How many results are wanted; undefined: all. @throws NodeOperationError when it is no number */
export const readLimit = (item: Item): number | undefined =>
	item.flag('returnAll', 'Return All') ? undefined : item.number('limit', 'Limit', 1);
