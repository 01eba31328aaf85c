import type { INodeProperties } from 'n8n-workflow';

import { toText } from '../text/values';
import { unset, type Reader } from './item';

/**
 * A form field together with how its value is read, so that label, default, minimum and choices are defined
 * once. `number`, `flag` and the like define the kind of value, `refine` narrows it, and option.ts puts it into a
 * collection. The literal `type` in each property is for n8n's linter.
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

/** The values of an item's fields. Taking `to` out of them reads its field, and throws where it cannot be used. */
export type FieldValues<F extends Fields> = {
	readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** Returns a function that makes the values of an item: getters of its prototype, so `...values` has none. */
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
