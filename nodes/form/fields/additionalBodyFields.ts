import { jsonParse, type IDataObject } from 'n8n-workflow';

import { anything, option, refine, type Field } from '../field';

const json = anything({
	displayName: 'Additional Body Fields',
	name: 'additionalBodyFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "sender": "ACME" }',
});

const additionalBodyFields = option(
	refine(json, (entered, owner): IDataObject => {
		const fields =
			typeof entered === 'string' ? jsonParse<unknown>(entered, { fallbackValue: null }) : entered;
		if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
			throw owner.invalid(
				"'Additional Body Fields' is not a JSON object",
				'Enter an object, e.g. { "sender": "ACME" }.',
			);
		}
		if ('to' in fields) {
			throw owner.invalid(
				"'Additional Body Fields' must not contain 'to'",
				"Enter the number in 'To' instead.",
			);
		}
		return fields as IDataObject;
	}),
);

export const additionalBodyFieldsOption = (place: string): Field<IDataObject> => ({
	...additionalBodyFields,
	description: `JSON object to merge into ${place}, for fields that this node does not have`,
});
