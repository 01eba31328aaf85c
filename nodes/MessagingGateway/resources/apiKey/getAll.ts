import { objectList } from '../../../shared/answer';
import { limitFields, readLimit } from '../../fields/limit';
import type { Operation } from '../../operation';

/** Interface §4.1. The list comes whole; the interface shows no pages. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many API keys',
	description:
		'List the API keys of the account, each with its name, channel, status and masked key',
	idempotent: true,
	fields: [
		...limitFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Status',
					name: 'status',
					type: 'string',
					default: '',
					placeholder: 'e.g. active',
					description: 'Only keys with this status, spelled as in the results of this operation',
				},
			],
		},
	],

	request(item) {
		const status = item.filterText('status', 'Status');
		const limit = readLimit(item);
		return {
			method: 'GET',
			path: '/v1/apikeys',
			query: status ? { [item.names.keyStatusParameter]: status } : undefined,
			expected: 'list',
			output: (body) => objectList(body).slice(0, limit),
		};
	},
};
