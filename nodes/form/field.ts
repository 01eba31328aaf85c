import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Owner } from '../gateway/owner';
import { toText } from '../text/toText';
import { isNothing, type Collection, type Item } from './item';

/**
 * A field of a form together with the reading of its value: its name, label, default, least number
 * and choices stand here alone, and errors name it by its label.
 *
 *     const limitField = number({ displayName: 'Limit', name: 'limit', type: 'number', … });
 *     const limit = limitField.read(item);
 *
 * `number`, `flag` and the like say what kind of value it holds, `refine` narrows that, `option` and
 * `filter` say that it stands in that collection. The literal `type` is there for n8n's lint. Where
 * more than the field itself decides, it has a `read` of its own.
 */
export interface Field<T> extends INodeProperties {
	/** @throws NodeOperationError when the item's value cannot be used */
	read(item: Item): T;
}

/** A field whose value is made of what was entered there alone. */
export interface PlainField<T> extends Field<T> {
	/**
	 * Makes a value of whatever was entered, or an expression has given.
	 *
	 * @throws what the owner makes of a value that is none
	 */
	parse(entered: unknown, owner: Owner): T;
}

/** A field in a collection: `unset` is its value where nobody has set it, else the default is. */
export interface Entry<T> extends PlainField<T> {
	read(item: Item, unset?: T): T;
}

/** The fields of an operation, by the names that it gives them. A notice has no value. */
export type Fields = Record<string, INodeProperties | Field<unknown>>;

export type Values<F extends Fields> = {
	readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** The values of an item: each is read where it is named, so the first that cannot be used is told. */
export const valuesOf = <F extends Fields>(fields: F, item: Item): Values<F> =>
	Object.defineProperties(
		{} as Values<F>,
		Object.fromEntries(
			Object.entries(fields).map(([name, field]) => [
				name,
				{ get: () => (field as Field<unknown>).read(item) },
			]),
		),
	);

/** @param fallback what n8n gives where the node does not have the parameter at all */
const plain = <T>(
	property: INodeProperties,
	parse: PlainField<T>['parse'],
	fallback?: unknown,
): PlainField<T> => ({
	...property,
	parse,
	read: (item) => parse(item.parameter(property.name, fallback), item),
});

/** The same field, with a value that is made of its value. */
export const refine = <S, T>(
	of: PlainField<S>,
	make: (value: S, owner: Owner) => T,
): PlainField<T> => ({
	...of,
	parse: (entered, owner) => make(of.parse(entered, owner), owner),
	read: (item) => make(of.read(item), item),
});

/** Whatever was entered, for a kind of its own. */
export const anything = (property: INodeProperties): PlainField<unknown> =>
	plain(property, (entered) => entered);

/** A text as it was entered; numbers, as expressions often give them, count as text. */
export function text(property: INodeProperties): PlainField<string> {
	const parse = (entered: unknown, owner: Owner): string => {
		const value = isNothing(entered) ? '' : toText(entered);
		const other = kindOtherThanText(entered, value);
		if (other === undefined) return value;
		throw owner.invalid(
			`'${property.displayName}' is ${other}, not text`,
			'Use an expression that returns a single value, e.g. {{ $json.customer.name }}.',
		);
	};
	return plain(property, parse, '');
}

function kindOtherThanText(entered: unknown, value: string): string | undefined {
	if (Array.isArray(entered)) return 'a list';
	if (value.startsWith('[object ')) return 'an object';
	return typeof entered === 'number' && !Number.isFinite(entered) ? value : undefined;
}

/**
 * The error of a field that is empty.
 *
 * @param howTo what to enter, where no expression gives its value
 */
export const emptyField = (
	{ displayName, name }: Pick<INodeProperties, 'displayName' | 'name'>,
	owner: Owner,
	howTo = 'Enter a value.',
) =>
	owner.isFromExpression?.(name)
		? owner.invalid(
				`The expression in '${displayName}' returned nothing for this item`,
				'Check the field name in the input panel.',
			)
		: owner.invalid(`'${displayName}' is empty`, howTo);

/** A text without the space around it. */
export const trimmed = (property: INodeProperties): PlainField<string> =>
	refine(text(property), (value) => value.trim());

/** A text, trimmed, that has to be there. */
export const required = (property: INodeProperties): PlainField<string> =>
	refine(trimmed(property), (value, owner) => {
		if (value !== '') return value;
		throw emptyField(property, owner);
	});

/** The value of a resource locator, which may hold a plain text as well. It has to be there. */
export function locator(property: INodeProperties): PlainField<string> {
	const of = required(property);
	return { ...of, read: (item) => of.parse(item.locator(of.name), item) };
}

/** What stands in a path: nothing that would name another one. */
export const identifier = (of: PlainField<string>): PlainField<string> =>
	refine(of, (id, owner) => {
		if (id !== '.' && id !== '..' && !/\p{Surrogate}/u.test(id)) return id;
		throw owner.invalid(
			`'${of.displayName}' is not valid: '${owner.quote(id)}'`,
			'Enter it exactly as your messaging service shows it.',
		);
	});

/** A number from `minValue`. */
export function number(property: INodeProperties): PlainField<number> {
	const least = property.typeOptions?.minValue ?? -Infinity;
	return plain(property, (entered, owner) => {
		const isEntered =
			typeof entered === 'number' || (typeof entered === 'string' && entered.trim() !== '');
		const value = isEntered ? Number(entered) : NaN;
		if (Number.isFinite(value) && value >= least) return value;
		throw owner.invalid(
			`'${property.displayName}' must be a number, ${least} or more`,
			'Enter a number, or use an expression that returns one.',
		);
	});
}

/** A switch; an expression may give the words `true` and `false`. */
export const flag = (property: INodeProperties): PlainField<boolean> =>
	plain(property, (entered, owner) => {
		const word = toText(entered).trim().toLowerCase();
		if (word === 'true' || word === 'false') return word === 'true';
		throw owner.invalid(
			`'${property.displayName}' must be true or false`,
			'Use an expression that returns true or false.',
		);
	});

type Dropdown<T> = Omit<INodeProperties, 'options'> & {
	options: Array<INodePropertyOptions & { value: T }>;
};

/**
 * A choice of a dropdown, which an expression may give as well.
 *
 * @param values in the order in which its error names them
 */
export const choice = <const T extends string>(
	property: Dropdown<T>,
	values = property.options.map(({ value }) => value),
): PlainField<T> =>
	refine(trimmed(property), (entered, owner) => {
		const value = values.find((candidate) => candidate === entered);
		if (value !== undefined) return value;
		throw owner.invalid(
			entered === ''
				? `'${property.displayName}' is empty`
				: `'${property.displayName}' can't be '${owner.quote(entered)}'`,
			`Choose from the list, or use an expression that returns ${oneOf(values)}.`,
		);
	});

/** `minutes, hours or days` */
const oneOf = (values: string[]): string =>
	new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values);

/** The value of a field among those of a fixed collection; its default where it is not there. */
export const readIn = <T>(values: IDataObject, of: PlainField<T>, owner: Owner): T =>
	of.parse(Object.hasOwn(values, of.name) ? values[of.name] : of.default, owner);

/** An entry of the collection 'Options', of which an expression has to give each item a value. */
export const option = <T>(of: PlainField<T>): Entry<T> => entry('options', of, true);

/** Likewise, with its default for an item that its expression gives nothing. */
export const optionOrDefault = <T>(of: PlainField<T>): Entry<T> => entry('options', of, false);

/** An entry of the collection 'Filters', of which an expression has to give each item a value. */
export const filter = <T>(of: PlainField<T>): Entry<T> => entry('filters', of, true);

const entry = <T>(collection: Collection, of: PlainField<T>, hasToBeGiven: boolean): Entry<T> => ({
	...of,
	read(item, unset) {
		if (hasToBeGiven && item.isMissing(collection, of.name)) throw item.missing(of.displayName);
		return of.parse(item.entry(collection, of.name) ?? unset ?? of.default, item);
	},
});
