import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item';

export const smsTypeField: INodeProperties = {
	displayName: 'SMS Type',
	name: 'smsType',
	type: 'string',
	default: '1',
	hint: 'One digit; your messaging service tells which ones your account can use',
	description:
		'Type code of the SMS, one digit, e.g. 1. Your messaging service tells which codes your account can use. Not to be guessed.',
};

/**
 * Interface §2.4: a string holding a digit.
 *
 * @param otherwise what to do where the service wants something else
 * @throws NodeOperationError when it is none
 */
export function readSmsType(item: Item, otherwise = ''): string {
	const type = item.requiredText('smsType', 'SMS Type');
	if (/^\d$/.test(type)) return type;
	throw item.invalid(
		`'SMS Type' is not a digit: '${item.quote(type)}'`,
		`Enter the type code that your messaging service names, e.g. 1. ${otherwise}`.trim(),
	);
}
