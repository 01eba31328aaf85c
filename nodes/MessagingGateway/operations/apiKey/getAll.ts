import type { IDataObject } from 'n8n-workflow';

import { objectList, explained, refuseIf, type AnswerBody } from '../../../gateway/outcome';
import { listApiKeys } from '../../../gateway/endpoints/apiKeys';
import { toText } from '../../../text/text';
import { filter, trimmed } from '../../../form/field';
import { limitFields } from '../../../form/fields/limit';
import { operation } from '../../operation';

const statusFilter = filter(
	trimmed({
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		placeholder: 'e.g. active',
		description: 'Only keys with this status, spelled as in the results of this operation',
	}),
);

/** Interface §4.1, which shows no pages. */
export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many API keys',
	description:
		'List the API keys of the account, each with its name, channel, status and masked key',
	idempotent: true,
	fields: {
		...limitFields,
		filters: {
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [statusFilter],
		},
	},

	request(values, item) {
		const status = statusFilter.read(item);
		const { limit } = values;
		return {
			...listApiKeys(item.account, status),
			judge: refuseOnlyOthers(status, item.quote(status)),
			output: (body) => withStatus(status, body).slice(0, limit),
		};
	},
});

/** All if it is empty. A service that does not know the filter's parameter returns all keys. */
const withStatus = (status: string, body: AnswerBody | undefined): IDataObject[] =>
	objectList(body).filter((key) => status === '' || nameOf(key.status) === nameOf(status));

const nameOf = (status: unknown): string =>
	toText(status ?? '')
		.trim()
		.toLowerCase();

/** No match: there may be none, or the service may call the status something else. */
const refuseOnlyOthers = (status: string, quoted: string) =>
	refuseIf((body) => {
		if (objectList(body).length === 0 || withStatus(status, body).length > 0) return undefined;
		return explained('rejected', {
			message: `No API key has the status '${quoted}'`,
			hint: "Enter 'Status' as the keys show it, or remove it to see all keys. If the filter never works, check 'Key Status Parameter' in the Messaging Gateway credential.",
		});
	});
