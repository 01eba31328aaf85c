import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchList, joinLine, abbreviateId } from '../../../form/search';
import { identifier, locator } from '../../../form/textField';
import { notice } from '../../../n8n/properties';
import { operation, hintsToCheck } from '../../../send/operation';
import { listApiKeys, revokeApiKey } from '../../../service/endpoints/apiKeys';
import { withAnswer } from '../../../service/outcome';
import { objectList, textOf } from '../../../text/values';

/** Interface §4.2. */
export const apiKeyRevoke = operation({
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke API key',
	description: 'Revoke an API key, so that nothing can use it any more. This cannot be undone.',
	idempotent: true,
	hints: {
		...hintsToCheck('API Key'),
		validation:
			"Check 'API Key': choose it from the list, or enter the 'id' that 'API Key: Get Many' returns, not the key itself.",
	},
	fields: {
		notice: notice(
			'revokeNotice',
			'This cannot be undone. Everything that uses the key stops working, including your workflows if it is the key of your credential.',
		),
		key: identifier(
			locator(
				{
					displayName: 'API Key',
					name: 'keyId',
					required: true,
					description: 'The API key to revoke',
					builderHint: {
						propertyHint:
							'Never the key of this credential: every workflow that uses it would stop.',
					},
				},
				{ searchListMethod: 'searchApiKeys', placeholder: 'Select an API key…' },
				{ placeholder: 'e.g. key_01', hint: "The 'id' that 'API Key: Get Many' returns" },
			),
		),
	},

	request: ({ key: id }) => ({
		...revokeApiKey(id),
		output: (body) => withAnswer({ deleted: true, id }, body),
	}),
});

/** Lists API keys for a resource locator, e.g. `Shop · active · sms · …97b0`: n8n shows only a name. */
export async function searchApiKeys(this: ILoadOptionsFunctions, filter = '') {
	return await searchList(this, filter, listApiKeys, (body) =>
		objectList(body)
			.filter(({ id }) => textOf(id) !== '')
			.map(({ id, name, status, channel, masked_key: mask }) => ({
				name: joinLine(name, status, channel, abbreviateId(mask)),
				value: `${id}`, // unchanged, since it is sent back
			})),
	);
}
