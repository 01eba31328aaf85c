import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	choice,
	identifier,
	locator,
	required,
	text,
	trimmed,
} from '../../../nodes/form/textField';
import { flag, number, valuesOf, type Field, type PlainField } from '../../../nodes/form/field';
import { list, readerOf } from '../../../nodes/MessagingGatewayStatusTrigger/field';
import { option, switchOption } from '../../../nodes/form/option';
import { groupReader } from '../../../nodes/form/item';
import { makePollContext } from '../../../tools/shared/pollContext';
import { makeItem } from '../../../tools/shared/item';

const property = { displayName: 'Value', name: 'value', type: 'string', default: '' } as const;
const count: INodeProperties = {
	...property,
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 3,
};
const on: INodeProperties = { ...property, type: 'boolean', default: true };
const keyLocator = locator(
	property,
	{ searchListMethod: 'searchApiKeys', placeholder: 'Select…' },
	{ placeholder: 'e.g. k1', hint: 'Its ID' },
);
const channel = choice({
	...property,
	type: 'options',
	options: [
		{ name: 'Chat App', value: 'chatApp' },
		{ name: 'SMS', value: 'sms' },
	],
});

const fromOne = number({ ...count, typeOptions: { minValue: 1 } });

const read = async (field: Field<unknown>, value: unknown) =>
	field.read(await makeItem({ value: value as string }));
const readOption = async (field: Field<unknown>, value: unknown) =>
	field.read(await makeItem({ options: { value } as IDataObject }));

test.each<[PlainField<unknown>, ...Array<[entered: unknown, value: unknown]>]>([
	[text(property), [7, '7'], [0, '0'], ['false', 'false'], [undefined, ''], [null, '']],
	// Words prove nothing: what an expression has made of them does.
	[text(property), ['NaN', 'NaN'], ['Hi undefined', 'Hi undefined'], ['null', 'null']],
	[text(property), ['[object Object]', '[object Object]'], ['Invalid Date', 'Invalid Date']],
	[text(property), ['Hi {{1}}, {{ 2 }}', 'Hi {{1}}, {{ 2 }}']],
	[text(property), [' a ', ' a '], [new Date(0), String(new Date(0))]],
	[required(property), [' x ', 'x']],
	[number(count), [0, 0], ['5', 5], [' 3 ', 3], [2.5, 2.5]],
	[number({ ...property, type: 'number' }), [-1e9, -1e9]],
	[fromOne, [1, 1]],
	[flag(on), [true, true], ['true', true], [' FALSE ', false], [false, false]],
	[channel, [' sms ', 'sms']],
	[keyLocator, [{ mode: 'list', value: ' k1 ' }, 'k1'], ['k1', 'k1']],
	[identifier(keyLocator), ['a/b?c', 'a/b?c'], ['😀', '😀']],
])('the field %#: what is entered, and what it is', async (field, ...rows) => {
	for (const [entered, value] of rows) {
		expect([entered, await read(field, entered)]).toEqual([entered, value]);
		if (entered) expect(await readOption(option(field), entered)).toBe(value);
	}
});

const unevaluated = (found: string) => `'Value' contains '${found}': an expression did not work`;
const noText = { toString: 1, valueOf: 1 }; // of which JavaScript makes none

test.each<[string, PlainField<unknown>, unknown[], message: string]>([
	[
		'text',
		text(property),
		[{ name: 'A' }, noText, ['A'], [], true, false, NaN, Infinity],
		"'Value' is not text",
	],
	['text', text(property), ['Hello {{1}} {{ $json.name }}'], unevaluated('{{ $json.name }}')],
	['text', text(property), ['Hello {{name}}'], unevaluated('{{name}}')],
	['text', text(property), ['$json.phone'], unevaluated('$json.phone')],
	['text', text(property), ["To $('A').item.json.to"], unevaluated("$('A').item.json.to")],
	['a text that has to be there', required(property), [' '], "'Value' is empty"],
	[
		'a number',
		number(count),
		['abc', -1, NaN, Infinity, {}, [], [5], true, ' ', '-1', '1,5'],
		"'Value' must be a number, 0 or more",
	],
	['a number from 1 on', fromOne, [0.5], "'Value' must be a number, 1 or more"],
	['a number', number({ ...property, type: 'number' }), ['x'], "'Value' must be a number"],
	['a switch', flag(on), [1, 0, 'yes', {}, noText], "'Value' must be true or false"],
	['a choice', channel, ['SMS'], "'Value' cannot be 'SMS'"],
	['a choice', channel, [[]], "'Value' is not text"],
	['a resource locator', keyLocator, [{ mode: 'id', value: '' }], "'Value' is empty"],
	['an identifier', identifier(keyLocator), ['.'], "'Value' is not valid: '.'"],
	['an identifier', identifier(keyLocator), ['..'], "'Value' is not valid: '..'"],
])('what is no value for %s', async (_, field, values, message) => {
	for (const value of values) {
		await expect(read(field, value)).rejects.toMatchObject({ message });
		await expect(readOption(option(field), value)).rejects.toMatchObject({ message });
	}
});

test('half an emoji has no place in an address, and nothing is no locator', async () => {
	await expect(read(identifier(keyLocator), 'a\ud800')).rejects.toThrow("'Value' is not valid: '");
	await expect(read(keyLocator, undefined)).rejects.toThrow("'Value' is empty");
});

test('a switch in the options is on once it is added, and off where it is not', async () => {
	const field = switchOption({ ...on, default: true });
	expect(field.read(await makeItem({ options: {} }))).toBe(false);
	for (const value of [true, false]) expect(await readOption(field, value)).toBe(value);
	await expect(readOption(field, '')).rejects.toThrow("'Value' is empty");
});

test('an entry of a fixed collection has its default where it is not there', async () => {
	const item = await makeItem();
	const readIn = (group: IDataObject) => number(count).read(groupReader(item, group));
	expect(readIn({ value: 5 })).toBe(5);
	expect(readIn({})).toBe(3);
	expect(() => readIn({ value: undefined })).toThrow("'Value' must be a n");
});

describe('an option', () => {
	test.each([undefined, null, ''])('that was added and is %j is no default', async (value) => {
		expect(await readOption(option(trimmed(property)), value)).toBe('');
		for (const field of [option(flag(on)), option(number(count)), option(channel)]) {
			await expect(readOption(field, value)).rejects.toThrow("'Value' is empty");
		}
	});

	const expressions = { value: '={{ $json.x }}' };
	const given = async (value: unknown) =>
		await makeItem({ options: { value }, filters: { value } } as IDataObject, {
			parameters: { options: expressions, filters: expressions },
		});

	test.each([undefined, null])('whose expression gives %j has no value', async (value) => {
		const item = await given(value);
		for (const field of [option(text(property)), option(text(property), '', 'filters')]) {
			expect(() => field.read(item)).toThrow("The expression in 'Value' returned nothing");
		}
	});

	test('whose expression gives an empty text has a value if it is a text', async () => {
		const item = await given('');
		expect(() => option(number(count)).read(item)).toThrow("The expression in 'Value' returned n");
		expect(option(text(property), '', 'filters').read(item)).toBe('');
	});

	test.each(['', null])('has no value where the expression of all gives %j', async (options) => {
		const item = await makeItem({ options }, { parameters: { options: '={{ $json.x }}' } });
		const refusal = "The expression in 'Value' returned nothing";
		expect(() => option(flag(on)).read(item)).toThrow(refusal);
	});

	test('that nobody has set needs no value', async () => {
		const item = await makeItem({ options: {}, filters: {} });
		expect(option(number(count)).read(item)).toBe(3);
		expect(option(number(count), 9).read(item)).toBe(9);
		expect(option(text(property), '', 'filters').read(item)).toBe('');
	});
});

test('the values of an item are read in the order in which they are taken', async () => {
	const names: string[] = [];
	const field = (name: string): Field<string> => ({
		...text({ ...property, name }),
		read(reader) {
			names.push(name);
			return text({ ...property, name }).read(reader);
		},
	});
	const notice: INodeProperties = { ...property, name: 'notice', type: 'notice' };
	const valuesFor = valuesOf({ a: field('a'), b: field('b'), notice });
	const { b, a, notice: none } = valuesFor(await makeItem({ a: 1, b: 2 }));
	expect([b, a, none]).toEqual(['2', '1', undefined]);
	expect(names).toEqual(['b', 'a']);
	expect(valuesFor(await makeItem({ a: 4 })).a).toBe('4');
});

test.each([
	[5, 5],
	['', 3],
	[undefined, 3],
])('a trigger has one value, and its default where it is empty: %j is %d', (value, expected) => {
	const reader = readerOf(makePollContext({ parameters: { value, options: { value } } }));
	expect(number(count).read(reader)).toBe(expected);
	expect(option(number(count)).read(reader)).toBe(expected);
});

test('an error of a trigger names no item', () => {
	const reader = readerOf(makePollContext({ parameters: { value: 'x' } }));
	expect(() => number(count).read(reader)).toThrow(
		expect.objectContaining({ message: "'Value' must be a number, 0 or more", context: {} }),
	);
});

test.each<[unknown, string[]]>([
	['', []],
	[undefined, []],
	[null, []],
	['a', ['a']],
	['a, b;c\n d', ['a', 'b', 'c', 'd']],
	['a,,a , b', ['a', 'b']],
	[
		[1, '1', 2, 'b, c', ['d', null]],
		['1', '2', 'b', 'c', 'd'],
	],
])('%j are the entries %j', async (value, entries) => {
	expect(await read(list(property, /[,;\s]+/, 'texts'), value)).toEqual(entries);
});

test.each([{ id: 'a' }, [['a', { id: 'b' }]]])('%j is no list of texts', async (value) => {
	await expect(read(list(property, /,/, 'texts'), value)).rejects.toMatchObject({
		message: "'Value' contains an object",
		description: 'Enter texts with commas, or leave the field empty for all.',
	});
});
