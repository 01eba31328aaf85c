import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isObject, toText, visibleIn } from '../text/values';
import { plainField, refine, type PlainField } from './field';
import { isEmpty, isNothing, type Reader } from './item';
import { findTrace } from './part';

/** Returns a field of text as entered; numbers count as text. @param hint what to do about anything else */
export const text = (
	property: INodeProperties,
	hint = 'Use an expression that returns one text or number, e.g. {{ $json.customer.name }}.',
): PlainField<string> =>
	plainField(property, (entered, reader) => {
		const value = isNothing(entered) ? '' : toText(entered);
		const { displayName } = property;
		const isOther =
			Array.isArray(entered) ||
			typeof entered === 'boolean' ||
			(typeof entered === 'object' && value.startsWith('[object ')) ||
			(typeof entered === 'number' && !Number.isFinite(entered));
		if (isOther) throw reader.invalid(`'${displayName}' is not text`, hint);
		const found = findTrace(value, () => reader.parts(property.name));
		if (found === undefined) return value;
		throw reader.invalid(
			`'${displayName}' contains '${reader.quote(found)}': an expression did not work`,
			fixedHint(displayName, found) ?? (found.includes(' GMT') ? dateHint : namesHint),
		);
	});

const namesHint =
	"Check the names of the fields in the expression, and how it reads dates and numbers. For what some items lack, write {{ $json.name ?? '' }}.";

/** Returns what to do about an expression that n8n has left as it is; undefined for another value. */
export const fixedHint = (displayName: string, value: string): string | undefined =>
	/^(\{\{|\$)/.test(value)
		? `Switch '${displayName}' from Fixed to Expression, and write it in {{ }}.`
		: undefined;

/** Offers what is the same for a date and for its ISO text, which n8n's Retry has instead. */
const dateHint =
	"Format the date: {{ $json.createdAt.toDateTime().setZone('America/Sao_Paulo').toFormat('dd/MM/yyyy') }}. In a key, use {{ $json.createdAt.toDateTime().toMillis() }}, or a text that an Edit Fields node in front makes of it.";

/** Returns a text without what services fail on: halves of emojis, control characters, terminal colors. */
export const makeSendable = (text: string): string =>
	text
		.replace(/[\v\f\u0085]/g, '\n')
		.replace(/[\u0080-\u009f]/g, (misread) => windows1252[misread.charCodeAt(0) - 0x80]!)
		.replace(/\p{Surrogate}|(?![\t\n\r])\p{Cc}(?:\[[\d;]*[mK])?/gu, '');

/** The characters of Windows-1252 from 0x80 to 0x9F: a file that was read as Latin-1 has control characters there. */
const windows1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

export const messageText = (property: INodeProperties): PlainField<string> =>
	refine(text(property), makeSendable);

/** Returns the error of a field without a value. @param hint what to enter @param expressionHint where it has one */
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

/** Returns the field, which may be left empty. Its expression may not: what gives nothing must lift no limit. */
export const leftOrGiven = <T>(of: PlainField<T>, hint: string): PlainField<T> =>
	refine(of, (value, reader) => {
		if (!isEmpty(value) || !reader.isFromExpression(of.name)) return value;
		throw emptyField(of, reader, hint, hint);
	});

/** @param message names the text that a part without a value makes another one @throws the error of such a part */
export function rejectEmptyPart(
	message: string,
	parts: Array<{ code: string; isEmpty: boolean }>,
	reader: Reader,
	why: string,
): void {
	const nothing = parts.find(({ isEmpty }) => isEmpty);
	if (!nothing) return;
	throw reader.invalid(
		`${message} for this item: '${reader.quote(nothing.code)}'`,
		`Check the field names in the input panel. ${why}`,
	);
}

/** Returns the field with a text that has something to see. @param hint what to enter where there is nothing */
export const visible = (of: PlainField<string>, hint: string): PlainField<string> =>
	refine(of, (value, reader) => {
		if (visibleIn(value) !== '') return value;
		throw emptyField(of, reader, hint);
	});

export const trimmed = (property: INodeProperties, hint?: string): PlainField<string> =>
	refine(text(property, hint), (value) => value.trim());

export const required = (property: INodeProperties, hint?: string): PlainField<string> =>
	refine(trimmed(property, hint), (value, reader) => {
		if (value !== '') return value;
		throw emptyField(property, reader, hint, hint);
	});

/** Returns a field of a resource locator, or of plain text in its place. @param byId the mode without a list */
export function locator(
	property: Omit<INodeProperties, 'type' | 'default'>,
	{ searchListMethod, placeholder }: { searchListMethod: string; placeholder: string },
	byId: { name?: string; displayName?: string; placeholder: string; hint: string },
	textField: (property: INodeProperties) => PlainField<string> = required,
): PlainField<string> {
	const typeOptions = { searchListMethod, searchable: true };
	const of = textField({
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
