import { objectList } from '../../../gateway/outcome';
import { listApiKeys } from '../../../gateway/endpoints/apiKeys';
import { textOf } from '../../../text/text';
import { trimmed } from '../../../form/field';
import { option } from '../../../form/build';
import { listLimitFields } from '../../../form/lists';
import { operation } from '../../operation';

const statusFilter = option(
	trimmed({
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		placeholder: 'e.g. active',
		description: 'Only keys with this status, spelled as in the results of this operation',
	}),
	'',
	'filters',
);

/** Interface §4.1, which shows no pages. */
export const apiKeyGetAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many API keys',
	description:
		'List the API keys of the account, each with its name, channel, status and masked key',
	idempotent: true,
	fields: {
		...listLimitFields,
		filters: {
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [statusFilter],
		},
	},

	request({ limit }, item) {
		const status = statusFilter.read(item);
		// A service that does not know the filter's parameter returns all keys.
		const isWanted = (found: unknown) =>
			status === '' || textOf(found).toLowerCase() === status.toLowerCase();
		return {
			...listApiKeys(item.account, status),
			output: (body) =>
				objectList(body)
					.filter((key) => isWanted(key.status))
					.slice(0, limit),
		};
	},
});
