import type { INodeProperties, INodePropertyOptions, IPollFunctions } from 'n8n-workflow';

import { isObject } from '../gateway/outcome';
import { ownerOfNode } from '../gateway/node';
import { toText } from '../text/text';
import { Entered, isEmpty, isNothing, unset, type Collection, type Reader } from './item';
import { findTrace } from './part';

/**
 * A form field together with how its value is read, so that label, default, minimum and choices are
 * defined once:
 *
 *     const limitField = number({ displayName: 'Limit', name: 'limit', type: 'number', … });
 *     const limit = limitField.read(item);
 *
 * `number`, `flag` and the like define the kind of value, `refine` narrows it, and build.ts puts it into
 * a collection. The literal `type` is for n8n's linter.
 */
export interface Field<T> extends INodeProperties {
	/** @throws NodeOperationError when its value cannot be used */
	read(reader: Reader): T;
}

/** A field that can be made into another one, with a narrower value or in a collection. */
export interface PlainField<T> extends Field<T> {
	/** @throws the reader's error when what was entered or evaluated is not valid */
	parse(entered: unknown, reader: Reader): T;
}

/** The fields of an operation, by the operation's own names for them. Notices have no value. */
export type Fields = Record<string, INodeProperties | Field<unknown>>;

/**
 * The values of an item's fields. Destructuring is what reads: taking `to` out of `values` reads its
 * field, and throws the item's error where the value cannot be used.
 */
export type FieldValues<F extends Fields> = {
	readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/**
 * Returns a function that makes the values of an item. They are getters of its prototype: `...values` has
 * none.
 */
export function valuesOf<F extends Fields>(fields: F): (reader: Reader) => FieldValues<F> {
	const getters = {};
	for (const [name, field] of Object.entries(fields)) {
		if (!('read' in field)) continue;
		Object.defineProperty(getters, name, {
			get(this: { $reader: Reader }) {
				return field.read(this.$reader);
			},
		});
	}
	// No field has the name of this one.
	return ($reader) => Object.assign(Object.create(getters) as FieldValues<F>, { $reader });
}

/** Returns a field whose value `parse` makes. `R` is the kind of reader that `parse` needs. */
export const plainField = <T, R extends Reader = Reader>(
	property: INodeProperties,
	parse: (entered: unknown, reader: R) => T,
): PlainField<T> => ({
	...property,
	parse,
	read(reader) {
		const raw = reader.raw(this);
		return this.parse(raw === unset ? this.default : raw, reader);
	},
});

/** Returns the field with a value that `make` converts or validates further. */
export const refine = <S, T, R extends Reader = Reader>(
	of: PlainField<S>,
	make: (value: S, reader: R) => T,
): PlainField<T> => ({
	...(of as unknown as PlainField<T>),
	parse: (entered, reader: R) => make(of.parse(entered, reader), reader),
});

/**
 * Returns a field of text as entered. Numbers, which expressions often return, count as text.
 *
 * @param hint what to do about anything else
 */
export const text = (
	property: INodeProperties,
	hint = 'Use an expression that returns one text or number, e.g. {{ $json.customer.name }}.',
): PlainField<string> =>
	plainField(property, (entered, reader) => {
		const value = isNothing(entered) ? '' : toText(entered);
		const { displayName } = property;
		if (isOtherThanText(entered, value)) throw reader.invalid(`'${displayName}' is not text`, hint);
		const found = findTrace(value, () => reader.parts(property.name));
		if (found === undefined) return value;
		throw reader.invalid(
			`'${displayName}' contains '${reader.quote(found)}': an expression did not work`,
			/^(\{\{|\$)/.test(found)
				? `Switch '${displayName}' from Fixed to Expression, and write it in {{ }}. In texts of your data, n8n fills in nothing: write {name} there, and {{ $json.text.replace('{name}', $json.name) }} here.`
				: found.includes(' GMT')
					? dateHint
					: "Check the names of the fields in the expression, and how it reads dates and numbers. For what some items lack, write {{ $json.name ?? '' }}.",
		);
	});

/** Offers what is the same for a date and for its ISO text, which n8n's Retry has instead. */
const dateHint =
	"Format the date: {{ $json.createdAt.toDateTime().setZone('America/Sao_Paulo').toFormat('dd/MM/yyyy') }}. In a key, use {{ $json.createdAt.toDateTime().toMillis() }}, or a text that an Edit Fields node in front makes of it.";

/** Returns a text without what services fail on: halves of emojis, control characters, terminal colors. */
export const makeSendable = (text: string): string =>
	text
		.replace(/[\v\f\u0085]/g, '\n')
		.replace(/[\u0080-\u009f]/g, (misread) => windows1252[misread.charCodeAt(0) - 0x80]!)
		.replace(/\p{Surrogate}|(?![\t\n\r])\p{Cc}(?:\[[\d;]*[mK])?/gu, '');

/** What Windows-1252 has from 0x80 to 0x9F, where a file that was read as Latin-1 has control characters. */
const windows1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

export const messageText = (property: INodeProperties): PlainField<string> =>
	refine(text(property), makeSendable);

/** Whether a list, an object, a boolean or no finite number was entered. @param value what was entered, as text */
const isOtherThanText = (entered: unknown, value: string): boolean =>
	Array.isArray(entered) ||
	typeof entered === 'boolean' ||
	(typeof entered === 'object' && value.startsWith('[object ')) ||
	(typeof entered === 'number' && !Number.isFinite(entered));

/**
 * Returns the error of a field without a value.
 *
 * @param hint what to enter where the value does not come from an expression
 * @param expressionHint what to do where it does
 */
export const emptyField = (
	{ displayName, name }: Pick<INodeProperties, 'displayName' | 'name'>,
	reader: Reader,
	hint = 'Enter a value.',
	expressionHint = `Drag the right field from the input panel into '${displayName}'. If only some items lack it, leave them out with a Filter node in front.`,
) =>
	reader.isFromExpression(name)
		? reader.invalid(
				`The expression in '${displayName}' returned nothing for this item`,
				expressionHint,
			)
		: reader.invalid(`'${displayName}' is empty`, hint);

/** Returns the error of a text that a part without a value makes another one. @param message names the text */
export const emptyPart = (message: string, code: string, reader: Reader, why: string) =>
	reader.invalid(
		`${message} for this item: '${reader.quote(code)}'`,
		`Check the field names in the input panel. ${why}`,
	);

/** @throws the reader's error when one of the parts of its text gives nothing */
export function rejectEmptyPart(
	field: INodeProperties,
	reader: Reader,
	why: string,
	parts = reader.parts(field.name),
): void {
	const nothing = parts.find(({ isEmpty }) => isEmpty);
	const message = `A part of '${field.displayName}' has no value`;
	if (nothing) throw emptyPart(message, nothing.code, reader, why);
}

export const trimmed = (property: INodeProperties, hint?: string): PlainField<string> =>
	refine(text(property, hint), (value) => value.trim());

/** Returns a field of trimmed text that must not be empty. */
export const required = (property: INodeProperties, hint?: string): PlainField<string> =>
	refine(trimmed(property, hint), (value, reader) => {
		if (value !== '') return value;
		throw emptyField(property, reader, hint, hint);
	});

const maxListEntries = 1_000;

/**
 * Returns a field whose value is the entries of a list, or of a text with separators, without duplicates
 * in upper or lower case. Left empty, it means all; an expression that fails to give any must not.
 *
 * @param what names the entries in the error
 */
export const list = (
	property: INodeProperties,
	separators: RegExp,
	what: string,
	collection?: Collection,
): Field<string[]> => ({
	...property,
	read(reader) {
		const raw = reader.raw(this, collection);
		const entries = [raw].flat(Infinity).filter((entry) => entry !== unset && !isNothing(entry));
		const refuse = (problem: string) =>
			reader.invalid(
				`'${property.displayName}' ${problem}`,
				`Enter ${what}, at most ${maxListEntries}, with commas, or leave the field empty for all.`,
			);
		if (entries.some((entry) => typeof entry === 'object')) throw refuse('contains an object');
		const texts = entries.flatMap((entry) => String(entry).split(separators));
		if (texts.length > maxListEntries) throw refuse('has too many entries');
		const named = texts.map((each) => each.trim()).filter((each) => each !== '');
		const unique = new Map(named.map((each) => [each.toLowerCase(), each]));
		const path = collection ? [collection, property.name] : [property.name];
		const isLost = unique.size === 0 && reader.isFromExpression(...path);
		if (isLost) throw refuse('has an expression that returned nothing');
		return [...unique.values()];
	},
});

/** Returns a field of a resource locator, or of plain text in its place, that must not be empty. */
export function locator(
	property: Omit<INodeProperties, 'type' | 'default'>,
	{ searchListMethod, placeholder }: { searchListMethod: string; placeholder: string },
	byId: { placeholder: string; hint: string },
): PlainField<string> {
	const typeOptions = { searchListMethod, searchable: true };
	const of = required({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', placeholder, typeOptions },
			{ displayName: 'By ID', name: 'id', type: 'string', ...byId },
		],
		...property,
	});
	return {
		...of,
		parse: (entered, reader) => of.parse(isObject(entered) ? entered.value : entered, reader),
	};
}

/** Returns the field with a value that is one segment of a URL path and cannot lead to another path. */
export const identifier = (of: PlainField<string>): PlainField<string> =>
	refine(of, (id, owner) => {
		if (id !== '.' && id !== '..' && !/\p{Surrogate}/u.test(id)) return id;
		throw owner.invalid(
			`'${of.displayName}' is not valid: '${owner.quote(id)}'`,
			'Enter it exactly as your messaging service shows it.',
		);
	});

/** Returns a field of a number, of at least `minValue` if there is one. */
export function number(property: INodeProperties): PlainField<number> {
	const least = property.typeOptions?.minValue;
	return plainField(property, (entered, owner) => {
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

/** Returns a field of a switch. Expressions may return the words `true` and `false`. */
export const flag = (property: INodeProperties): PlainField<boolean> =>
	plainField(property, (entered, owner) => {
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
			`'${property.displayName}' cannot be '${owner.quote(entered)}'`,
			`Choose from the list, or use an expression that returns ${values.join(' or ')}.`,
		);
	});

/** Returns the reader of a trigger's fields. A field that is empty has its default. */
export function readerOf(context: IPollFunctions): Reader {
	const entered = new Entered(context);
	return {
		...ownerOfNode(context.getNode()),
		raw({ name, default: normal }, collection) {
			const path = collection ? `${collection}.${name}` : name;
			const raw = context.getNodeParameter(path, normal);
			return isEmpty(raw) ? unset : raw;
		},
		isFromExpression: (...path) => entered.hasExpression(...path),
		parts: () => [], // nothing of a poll is sent
	};
}
