import { withAnswer } from '../../../gateway/answerBody';
import { revokeApiKey } from '../../../gateway/endpoints/apiKeys';
import { operation } from '../../operation';
import { identifier, locator } from '../../../form/field';

/** Interface §4.2. */
export const revoke = operation({
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke API key',
	description: 'Revoke an API key, so that nothing can use it any more. This cannot be undone.',
	idempotent: true,
	fields: {
		notice: {
			displayName:
				'This cannot be undone. Everything that uses the key stops working, including your workflows if it is the key of your credential.',
			name: 'revokeNotice',
			type: 'notice',
			default: '',
		},
		key: identifier(
			locator({
				displayName: 'API Key',
				name: 'keyId',
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				required: true,
				description: 'The API key to revoke',
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
						hint: "The 'id' that 'API Key: Get Many' returns",
					},
				],
			}),
		),
	},

	request: ({ key: id }) => ({
		...revokeApiKey(id),
		output: (body) => withAnswer({ deleted: true, id }, body),
	}),
});
