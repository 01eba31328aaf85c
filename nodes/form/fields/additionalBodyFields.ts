import { jsonParse } from 'n8n-workflow';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Item } from '../item';

/** @param place what the fields are merged into, e.g. `the body of the request` */
export const additionalBodyFieldsOption = (place: string): INodeProperties => ({
	displayName: 'Additional Body Fields',
	name: 'additionalBodyFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "sender": "ACME" }',
	description: `JSON object that is merged into ${place}. Use it where your service wants a field that this node does not have.`,
});

/**
 * Fields to merge into the body of a send.
 *
 * @throws NodeOperationError when the value is not a JSON object or holds the destination, or its
 * expression gives nothing
 */
export function readAdditionalBodyFields(item: Item): IDataObject {
	item.rejectMissing('additionalBodyFields', 'Additional Body Fields');
	const entered = item.option<unknown>('additionalBodyFields') ?? {};
	const fields =
		typeof entered === 'string' ? jsonParse<unknown>(entered, { fallbackValue: null }) : entered;
	if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
		throw item.invalid(
			"'Additional Body Fields' is not a JSON object",
			'Enter an object, e.g. { "sender": "ACME" }.',
		);
	}
	if ('to' in fields) {
		throw item.invalid(
			"'Additional Body Fields' must not contain 'to'",
			"Enter the destination number in 'To': messages to one number keep their order by it.",
		);
	}
	return fields as IDataObject;
}
