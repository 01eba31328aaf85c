import type { IDataObject } from 'n8n-workflow';

import { listLimitFields } from '../../../form/fields/listLimit';
import { option } from '../../../form/option';
import { trimmed } from '../../../form/textField';
import { operation } from '../../../send/operation';
import { listApiKeys } from '../../../service/endpoints/apiKeys';
import type { AnswerBody } from '../../../service/outcome';
import { objectList, textOf } from '../../../text/values';

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
		return {
			...listApiKeys(item.account, status),
			output: (body) => keysWith(status, body).slice(0, limit),
		};
	},
});

/** Returns the keys with a status. If all have one, in whatever words, the service has filtered them. */
function keysWith(status: string, body: AnswerBody | undefined): IDataObject[] {
	const keys = objectList(body);
	const statusOf = (key: IDataObject) => textOf(key.status).toLowerCase();
	const isFiltered = status === '' || new Set(keys.map(statusOf)).size <= 1;
	return isFiltered ? keys : keys.filter((key) => statusOf(key) === status.toLowerCase());
}
