import type { INodeProperties, IDataObject } from 'n8n-workflow';

import { isObject } from '../text/values';
import {
	flag,
	valuesOf,
	type PlainField,
	type Field,
	type Fields,
	type FieldValues,
} from './field';
import { unset, groupReader, isEmpty, type Collection, type Item, type Reader } from './item';
import { emptyField } from './textField';

/** Returns the only group of fields in a fixed collection. */
export const groupOf = (...values: INodeProperties[]): INodeProperties['options'] => [
	{ displayName: 'Values', name: 'values', values },
];

/** Returns the collection 'Options', sorted by label. */
export const optionsCollection = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/**
 * Returns the field as an entry of 'Options', with `whenUnset` where the user has not added it. Where it was added,
 * it has to give a value for every item: its default would send what a switch or a limit was added to hold back.
 */
export const option = <T>(
	of: PlainField<T>,
	whenUnset = of.default as T,
	collection: Collection = 'options',
): Field<T> => ({
	...of,
	read(reader) {
		const raw = reader.raw(of, collection);
		if (raw === unset) return whenUnset;
		const entry = groupReader(reader, { [of.name]: raw }, collection);
		if (!isEmpty(raw)) return of.parse(raw, entry);
		const isText = of.type === 'string' || of.type === 'json'; // empty is a value, too
		if (isText && (raw === '' || !entry.isFromExpression(of.name))) return whenUnset;
		throw emptyOption(of, entry);
	},
});

function emptyOption(of: Pick<INodeProperties, 'displayName' | 'name'>, entry: Reader) {
	const hint = `Enter a value, or an expression that returns one for every item, or remove '${of.displayName}'.`;
	return emptyField(of, entry, hint, hint);
}

/** Returns a switch in 'Options', which is on as soon as it is added, and off where it is not. */
export const switchOption = (property: INodeProperties & { default: true }): Field<boolean> =>
	option(flag(property), false);

/** Returns an entry with a group of fields. @param make makes its value of theirs; where unset, they have defaults */
export const groupOption = <F extends Fields, T, U>(
	property: Omit<INodeProperties, 'type'>,
	fields: F,
	make: (values: FieldValues<F>, item: Item, entered: IDataObject) => T,
	whenUnset: U,
): Field<T | U> => {
	const valuesIn = valuesOf(fields);
	return {
		...property,
		type: 'fixedCollection',
		options: groupOf(...Object.values(fields)),
		read(item: Item) {
			const raw = item.raw(this, 'options');
			if (raw === unset) return whenUnset;
			const { values } = Object(raw) as IDataObject;
			const entered = isObject(values) ? values : {};
			const entry = groupReader(item, { [property.name]: raw }, 'options');
			const isNone = Object.keys(entered).length === 0;
			if (isNone && entry.isFromExpression(property.name)) throw emptyOption(property, entry);
			return make(valuesIn(groupReader(entry, entered, property.name, 'values')), item, entered);
		},
	};
};
