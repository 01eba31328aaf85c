import { jsonParse, type IDataObject } from 'n8n-workflow';

import { anything, option, refine } from '../field';
import type { Item } from '../item';

const extraFields = refine(
	anything({
		displayName: 'Extra Fields (JSON)',
		name: 'extraFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "sender": "ACME" }',
		hint: 'With values of the item, as an expression: {{ { sender: $json.name } }}',
	}),
	(entered, owner): IDataObject => {
		const fields =
			typeof entered === 'string' ? jsonParse<unknown>(entered, { fallbackValue: null }) : entered;
		if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
			throw owner.invalid(
				"'Extra Fields (JSON)' is not a JSON object",
				'Enter an object, e.g. { "sender": "ACME" }, or use an expression that returns one, e.g. {{ { sender: $json.name } }}.',
			);
		}
		return fields as IDataObject;
	},
);

/** Fields of the request's body that the node sets, and where in its form. */
export type OwnFields<Body> = Record<Extract<keyof Body, string>, string>;

/**
 * A value that breaks out of the JSON around it can add fields, but not replace the node's own: what
 * the form says is what is checked, counted and sent.
 *
 * @param ownFields of an item's request
 * @param place what the fields are merged into
 */
export const extraFieldsOption = (
	ownFields: (item: Item) => OwnFields<IDataObject>,
	place: string,
) => ({
	...option(
		refine(extraFields, (fields, item: Item) => {
			const own = Object.entries(ownFields(item)).find(([name]) => Object.hasOwn(fields, name));
			if (!own) return fields;
			const [name, where] = own;
			throw item.invalid(
				`'Extra Fields (JSON)' must not contain '${item.quote(name)}'`,
				`${where}. If a value of the item contains it, use an expression that returns an object, e.g. {{ { sender: $json.name } }}.`,
			);
		}),
		{},
	),
	description: `JSON object to merge into ${place}, for fields that this node does not have`,
});
