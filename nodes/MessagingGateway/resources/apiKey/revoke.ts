import type { Operation } from '../../operation';
import { withAnswer } from '../../fields/withAnswer';

/** Interface §4.2. */
export const revoke: Operation = {
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke API key',
	description: 'Revoke an API key for good, so that it can no longer be used',
	idempotent: true,
	fields: [
		{
			displayName: 'API Key',
			name: 'keyId',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			required: true,
			description: 'The API key to revoke. The key of the credential in use can be revoked too.',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Select an API key…',
					typeOptions: { searchListMethod: 'searchApiKeys', searchable: true },
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. key_01',
					hint: "The 'id' of the key, as 'API Key: Get Many' returns it",
				},
			],
		},
	],

	request(item) {
		const id = item.requiredLocator('keyId', 'API Key');
		return {
			method: 'DELETE',
			path: `/v1/apikeys/${item.pathPart(id, 'API Key')}`,
			expected: 'notShown',
			output: (body) => withAnswer({ deleted: true, id }, body),
		};
	},
};
