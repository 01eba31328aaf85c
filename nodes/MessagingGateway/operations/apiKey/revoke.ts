import { withAnswer, situationOf } from '../../../gateway/outcome';
import { revokeApiKey } from '../../../gateway/endpoints/apiKeys';
import type { Judge } from '../../../gateway/request';
import { operation } from '../../operation';
import { notice } from '../../../form/build';
import { identifier, locator } from '../../../form/field';

/** Interface §4.2. */
export const revoke = operation({
	value: 'revoke',
	name: 'Revoke',
	action: 'Revoke API key',
	description: 'Revoke an API key, so that nothing can use it any more. This cannot be undone.',
	idempotent: true,
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

	request: ({ key: id }, item) => ({
		...revokeApiKey(id),
		judge: noSuchKey(item.quote(id)),
		output: (body) => withAnswer({ deleted: true, id }, body),
	}),
});

/** Interface §4.2 shows a validation error only, which names the part of the path. */
const noSuchKey =
	(quoted: string): Judge =>
	(outcome) => {
		if (outcome.kind !== 'refused') return outcome;
		const { kind, text } = outcome.reason;
		const isOfKey = kind === 'validation' && /\bkey_id\b/.test(text ?? '');
		if (!isOfKey && situationOf(outcome) !== 'notFound') return outcome;
		const explanation = {
			message: `The service has no API key with the ID '${quoted}'${text ? `: "${text}"` : ''}`,
			hint: "Choose the key from the list, or get its 'id' with 'API Key: Get Many'.",
		};
		return { ...outcome, reason: { ...outcome.reason, explanation } };
	};
