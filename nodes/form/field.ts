import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Context } from '../gateway/client';
import { ownedBy, type Owner } from '../gateway/node';
import { toText } from '../text/toText';
import { shownWhere } from './build';
import { isEmpty, isNothing, type Collection, type Entry, type Item } from './item';

/**
 * A form field together with how its value is read, so that label, default, minimum and choices are
 * defined once:
 *
 *     const limitField = number({ displayName: 'Limit', name: 'limit', type: 'number', … });
 *     const limit = limitField.read(item);
 *
 * `number`, `flag` and the like define the kind of value, `refine` narrows it, `option` and `filter`
 * put the field into that collection. The literal `type` is for n8n's linter. A field whose value
 * depends on other fields, too, overrides `read`.
 */
export interface Field<T> extends INodeProperties {
	/** @throws NodeOperationError when the item's value cannot be used */
	read(item: Item): T;
}

/** A field whose value depends on nothing but what was entered there. */
export interface PlainField<T> extends Field<T> {
	/** @throws the owner's error for an entered or evaluated value that is invalid */
	parse(entered: unknown, owner: Owner): T;
}

/** The fields of an operation, by the operation's own names for them. Notices have no value. */
export type Fields = Record<string, INodeProperties | Field<unknown>>;

export type Values<F extends Fields> = {
	readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/**
 * Makes the values of items. Each is read on access: the operation decides the order, and what to
 * skip. Take them apart by name: `...values` has none.
 */
export function valuesOf<F extends Fields>(fields: F): (item: Item) => Values<F> {
	class Reading {
		/** @param $item no field has this name */
		constructor(readonly $item: Item) {}
	}
	for (const [name, field] of Object.entries(fields)) {
		if (!('read' in field)) continue;
		Object.defineProperty(Reading.prototype, name, {
			get(this: Reading) {
				return field.read(this.$item);
			},
		});
	}
	return (item) => new Reading(item) as unknown as Values<F>;
}

/** @param fallback the value where the node does not have the parameter at all */
const plain = <T>(
	property: INodeProperties,
	parse: PlainField<T>['parse'],
	fallback?: unknown,
): PlainField<T> => ({
	...property,
	parse,
	read: (item) => parse(item.parameter(property.name, fallback), item),
});

/** The same field with a converted or further validated value. */
export const refine = <S, T>(
	of: PlainField<S>,
	make: (value: S, owner: Owner) => T,
): PlainField<T> => ({
	...of,
	parse: (entered, owner) => make(of.parse(entered, owner), owner),
	read: (item) => make(of.read(item), item),
});

/** A value of any kind, to be refined. */
export const anything = (property: INodeProperties): PlainField<unknown> =>
	plain(property, (entered) => entered);

/**
 * A field that has changed in a version of its node, such as its default: n8n stores no defaults, so a
 * node of an earlier version keeps what was before. Spread it into the fields or options of an operation;
 * both are in the form.
 */
export const since = <K extends string, T>(
	version: number,
	name: K,
	after: Field<T>,
	before: Field<T>,
) =>
	({
		[`${name}Before${version}`]: shownWhere({ '@version': [{ _cnd: { lt: version } }] }, before),
		[name]: {
			...shownWhere({ '@version': [{ _cnd: { gte: version } }] }, after),
			read: (item: Item) => (item.version < version ? before : after).read(item),
		},
	}) as Record<K, Field<T>>;

const singleValue =
	'Use an expression that returns a single value, e.g. {{ $json.customer.name }}.';

/**
 * Text as entered. Numbers, which expressions often return, count as text.
 *
 * @param howTo what to do about anything else
 */
export const text = (property: INodeProperties, howTo = singleValue): PlainField<string> =>
	plain(
		property,
		(entered, owner) => {
			const value = isNothing(entered) ? '' : toText(entered);
			const other = kindOtherThanText(entered, value);
			if (other === undefined) return value;
			throw owner.invalid(`'${property.displayName}' is ${other}, not text`, howTo);
		},
		'',
	);

/** Takes off half an emoji, as a cut leaves it, and control characters: services fail on them. */
export const sendable = (text: string): string =>
	text.replace(/\p{Surrogate}|(?![\t\n\f\r])\p{Cc}/gu, '');

/** Text of a message. */
export const messageText = (property: INodeProperties): PlainField<string> =>
	refine(text(property), sendable);

function kindOtherThanText(entered: unknown, value: string): string | undefined {
	if (Array.isArray(entered)) return 'a list';
	if (value.startsWith('[object ')) return 'an object';
	return typeof entered === 'number' && !Number.isFinite(entered) ? value : undefined;
}

/** @param howTo what to enter where the value does not come from an expression */
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

/** Text without surrounding whitespace. */
export const trimmed = (property: INodeProperties, howTo?: string): PlainField<string> =>
	refine(text(property, howTo), (value) => value.trim());

/** Trimmed text that must not be empty. */
export const required = (property: INodeProperties): PlainField<string> =>
	refine(trimmed(property), (value, owner) => {
		if (value !== '') return value;
		throw emptyField(property, owner);
	});

/**
 * The entries of a list, or of a text with separators; without duplicates, in upper or lower case.
 *
 * @param what they are, for the error
 */
export const list = (
	property: INodeProperties,
	separators: RegExp,
	what: string,
): PlainField<string[]> =>
	refine(anything(property), (entered, owner) => {
		const entries = [entered].flat(Infinity).filter((entry) => !isNothing(entry));
		if (entries.some((entry) => typeof entry === 'object')) {
			throw owner.invalid(
				`'${property.displayName}' contains an object`,
				`Use an expression that returns a list of ${what}, or one text with commas.`,
			);
		}
		const texts = entries.flatMap((entry) => String(entry).split(separators));
		const trimmed = texts.map((text) => text.trim()).filter((text) => text !== '');
		// Reversed, since a map keeps the last of equal entries.
		return [
			...new Map(trimmed.reverse().map((text) => [text.toLowerCase(), text])).values(),
		].reverse();
	});

/** The value of a resource locator, or of plain text in its place; must not be empty. */
export function locator(
	property: Omit<INodeProperties, 'type' | 'default'>,
	{ searchListMethod, placeholder }: { searchListMethod: string; placeholder: string },
	byId: { placeholder: string; hint: string },
): PlainField<string> {
	const slowLoadNotice = { message: "You can choose 'By ID' and enter the ID.", timeout: 3_000 };
	const typeOptions = { searchListMethod, searchable: true, slowLoadNotice };
	const of = required({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', placeholder, typeOptions },
			{ displayName: 'By ID', name: 'id', type: 'string', ...byId },
		],
		...property,
	});
	return { ...of, read: (item) => of.parse(item.locator(of.name), item) };
}

/** A segment of a URL path that cannot lead to another path. */
export const identifier = (of: PlainField<string>): PlainField<string> =>
	refine(of, (id, owner) => {
		if (id !== '.' && id !== '..' && !/\p{Surrogate}/u.test(id)) return id;
		throw owner.invalid(
			`'${of.displayName}' is not valid: '${owner.quote(id)}'`,
			'Enter it exactly as your messaging service shows it.',
		);
	});

/** A number of at least `minValue`, if there is one. */
export function number(property: INodeProperties): PlainField<number> {
	const least = property.typeOptions?.minValue;
	return plain(property, (entered, owner) => {
		const isEntered =
			typeof entered === 'number' || (typeof entered === 'string' && entered.trim() !== '');
		const value = isEntered ? Number(entered) : NaN;
		if (Number.isFinite(value) && value >= (least ?? value)) return value;
		const range = least === undefined ? '' : `, ${least} or more`;
		throw owner.invalid(
			`'${property.displayName}' must be a number${range}`,
			'Enter a number, or use an expression that returns one.',
		);
	});
}

/** A switch. Expressions may return the words `true` and `false`. */
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

export const choice = <const T extends string>(property: Dropdown<T>): PlainField<T> =>
	refine(trimmed(property), (entered, owner) => {
		const values = property.options.map((each) => each.value);
		const value = values.find((candidate) => candidate === entered);
		if (value !== undefined) return value;
		throw owner.invalid(
			entered === ''
				? `'${property.displayName}' is empty`
				: `'${property.displayName}' cannot be '${owner.quote(entered)}'`,
			`Choose from the list, or use an expression that returns ${oneOf(values)}.`,
		);
	});

/** `minutes, hours or days` */
const oneOf = (values: string[]): string =>
	new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values);

/** Reads a field of a fixed collection; its default where it is absent. */
export const readIn = <T>(values: IDataObject, of: PlainField<T>, owner: Owner): T =>
	of.parse(Object.hasOwn(values, of.name) ? values[of.name] : of.default, owner);

/**
 * The value of a field for a whole node: of a trigger, or the same for all items of a run. Where it is
 * empty, its default.
 *
 * @throws NodeOperationError when the value cannot be used
 */
export function readOnce<T>(context: Context, of: PlainField<T>, collection?: Collection): T {
	const name = collection ? `${collection}.${of.name}` : of.name;
	const entered =
		'getInputData' in context
			? context.getNodeParameter(name, 0, of.default)
			: context.getNodeParameter(name, of.default);
	return of.parse(entered === '' ? of.default : entered, ownedBy(context.getNode()));
}

const entry =
	(collection: Collection, isRequired: boolean) =>
	/** @param unset the value where the user has not added it */
	<T>(of: PlainField<T>, unset: unknown = of.default): PlainField<T> => ({
		...of,
		read(item) {
			const entry = item.entry(collection, of.name);
			if (isRequired) rejectNothing(item, of, entry);
			return of.parse(isEmpty(entry.value) ? unset : entry.value, item);
		},
	});

/** Types of fields in which an empty text is a value. */
const textTypes: ReadonlyArray<INodeProperties['type']> = ['string', 'json'];

/**
 * An entry that was added and gives nothing is not one that was never added: its default would send
 * what a switch, a limit or set hours were added to hold back.
 *
 * @throws NodeOperationError when the entry gives nothing for this item
 */
function rejectNothing(
	item: Item,
	{ displayName, type }: INodeProperties,
	{ value, isSet, isFromExpression }: Entry,
): void {
	const isText = textTypes.includes(type);
	const isNone = isText ? isNothing(value) && isFromExpression : isEmpty(value) && isSet;
	if (!isNone) return;
	throw isFromExpression
		? item.invalid(
				`The expression in '${displayName}' returned nothing for this item`,
				`Use an expression that returns a value for every item, or remove '${displayName}'.`,
			)
		: item.invalid(`'${displayName}' is empty`, `Enter a value, or remove '${displayName}'.`);
}

/** An entry of 'Options'. Where it was added, it has to give a value for every item. */
export const option = entry('options', true);

/** A switch in 'Options': on as soon as it is added, off where it is not. */
export const switchOption = (property: INodeProperties & { default: true }): PlainField<boolean> =>
	option(flag(property), false);

/** An entry of 'Options' that falls back to its default for items whose expression returns nothing. */
export const optionOrDefault = entry('options', false);

/** The same in 'Filters'. */
export const filter = entry('filters', true);
