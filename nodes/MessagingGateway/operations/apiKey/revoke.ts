import { withAnswer } from '../../../gateway/answerBody';
import { revokeApiKey } from '../../../gateway/endpoints/apiKeys';
import { operation } from '../../operation';
import { identifier, locator } from '../../../form/field';

/** Interface §4.2. */
export const revoke = operation({
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke API key',
	description:
		'Revoke an API key, so that it can no longer be used. This cannot be undone, and it can be the key that this node uses itself.',
	idempotent: true,
	fields: {
		notice: {
			displayName:
				'<b>This cannot be undone.</b> What uses the key is refused from then on. The list holds the key of your credential, too: revoke that one, and every workflow with this credential stops.',
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
						hint: "The 'id' of the key, as 'API Key: Get Many' returns it",
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
