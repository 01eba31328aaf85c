import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	choice,
	filter,
	flag,
	identifier,
	list,
	locator,
	number,
	option,
	optionOrDefault,
	switchOption,
	readerOf,
	refine,
	required,
	text,
	trimmed,
	valuesOf,
	within,
	type Field,
} from '../../../nodes/form/field';
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

const read = async (field: Field<unknown>, value: unknown) =>
	field.read(await makeItem({ value: value as string }));
const readOption = async (field: Field<unknown>, value: unknown) =>
	field.read(await makeItem({ options: { value } as IDataObject }));

test('a field is the property that it was made of', () => {
	expect(number(count)).toMatchObject(count);
});

test.each([
	[7, '7'],
	[0, '0'],
	[false, 'false'],
	[undefined, ''],
	[null, ''],
	[' a ', ' a '],
	[new Date(0), String(new Date(0))],
])('%j as text is %j', async (value, expected) => {
	expect(await read(text(property), value)).toBe(expected);
});

test.each([
	[{ name: 'Ana' }, 'an object'],
	[{ toString: 1, valueOf: 1 }, 'an object'], // of which JavaScript makes no text
	[['Ana'], 'a list'],
	[[], 'a list'],
	[NaN, 'NaN'],
	[Infinity, 'Infinity'],
])('%j is no text', async (value, kind) => {
	const message = `'Value' is ${kind}, not text`;
	await expect(read(text(property), value)).rejects.toThrow(message);
	await expect(readOption(optionOrDefault(text(property)), value)).rejects.toThrow(message);
});

test('a text that has to be there is trimmed, and named where it is empty', async () => {
	expect(await read(required(property), ' x ')).toBe('x');
	await expect(read(required(property), ' ')).rejects.toThrow("'Value' is empty");
});

test('a resource locator has to name something', async () => {
	expect(await read(keyLocator, { mode: 'list', value: ' k1 ' })).toBe('k1');
	expect(await read(keyLocator, 'k1')).toBe('k1');
	await expect(read(keyLocator, { mode: 'id', value: '' })).rejects.toThrow("'Value' is e");
	await expect(read(keyLocator, undefined)).rejects.toThrow("'Value' is empty");
});

test('an identifier cannot lead to another path, and has a place in an address', async () => {
	const id = identifier(keyLocator);
	expect(await read(id, 'a/b?c')).toBe('a/b?c');
	expect(await read(id, '😀')).toBe('😀');
	for (const value of ['.', '..', 'a\ud800']) {
		await expect(read(id, value)).rejects.toThrow("'Value' is not valid: '");
	}
});

test.each([
	[0, 0],
	['5', 5],
	[' 3 ', 3],
	[2.5, 2.5],
])('%j as a number is %d', async (value, expected) => {
	expect(await read(number(count), value)).toBe(expected);
});

test.each(['abc', -1, NaN, Infinity, {}, [], [5], true, ' ', '-1', '1,5'])(
	'%j is no number',
	async (value) => {
		const message = "'Value' must be a number, 0 or more";
		await expect(read(number(count), value)).rejects.toThrow(message);
		await expect(readOption(optionOrDefault(number(count)), value)).rejects.toThrow(message);
	},
);

test('a number without a least may be anything', async () => {
	const field = number({ ...property, type: 'number' });
	expect(await read(field, -1e9)).toBe(-1e9);
	await expect(read(field, 'x')).rejects.toMatchObject({ message: "'Value' must be a number" });
});

test('a number is not less than its least', async () => {
	const field = number({ ...count, typeOptions: { minValue: 1 } });
	expect(await read(field, 1)).toBe(1);
	await expect(read(field, 0.5)).rejects.toThrow("'Value' must be a number, 1 or more");
});

test.each([
	[true, true],
	['true', true],
	[' FALSE ', false],
	[false, false],
])('a switch that is %j is %j', async (value, expected) => {
	expect(await read(flag(on), value)).toBe(expected);
	expect(await readOption(option(flag({ ...on, default: !expected })), value)).toBe(expected);
});

test('a switch in the options is on once it is added, and off where it is not', async () => {
	const field = switchOption({ ...on, default: true });
	expect(field.read(await makeItem({ options: {} }))).toBe(false);
	for (const value of [true, false]) expect(await readOption(field, value)).toBe(value);
	await expect(readOption(field, '')).rejects.toThrow("'Value' is empty");
});

test.each<unknown>([1, 0, 'yes', {}, { toString: 1, valueOf: 1 }])(
	'a switch cannot be %j',
	async (value) => {
		const message = "'Value' must be true or false";
		await expect(read(flag(on), value)).rejects.toThrow(message);
		await expect(readOption(option(flag(on)), value)).rejects.toThrow(message);
	},
);

test('a choice is one of its values', async () => {
	expect(await read(channel, ' sms ')).toBe('sms');
	await expect(read(channel, 'SMS')).rejects.toMatchObject({
		message: "'Value' cannot be 'SMS'",
		description: 'Choose from the list, or use an expression that returns chatApp or sms.',
	});
	await expect(read(channel, '')).rejects.toThrow("'Value' is empty");
	await expect(read(channel, [])).rejects.toThrow("'Value' is a list, not text");
});

test('a field can be read further', async () => {
	const field = refine(trimmed(property), (value, owner) => {
		if (value !== 'no') return value.length;
		throw owner.invalid('No', 'Not this.');
	});
	expect([await read(field, ' ab '), field.parse('abc', await makeItem())]).toEqual([2, 3]);
	await expect(read(field, 'no')).rejects.toThrow('No');
});

test('an entry of a fixed collection has its default where it is not there', async () => {
	const item = await makeItem();
	const readIn = (group: IDataObject) => number(count).read(within(item, group));
	expect(readIn({ value: 5 })).toBe(5);
	expect(readIn({})).toBe(3);
	expect(() => readIn({ value: undefined })).toThrow("'Value' must be a n");
});

describe('an option', () => {
	test.each([undefined, null, ''])('that was added and is %j is no default', async (value) => {
		expect(await readOption(optionOrDefault(trimmed(property)), value)).toBe('');
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
		for (const inCollection of [option, filter]) {
			expect(() => inCollection(text(property)).read(item)).toThrow(
				"The expression in 'Value' returned nothing",
			);
		}
		expect(optionOrDefault(number(count)).read(item)).toBe(3);
	});

	test('whose expression gives an empty text has a value if it is a text', async () => {
		const item = await given('');
		expect(() => option(number(count)).read(item)).toThrow("The expression in 'Value' returned n");
		expect(filter(text(property)).read(item)).toBe('');
	});

	test.each(['', null])(
		'among others, whose expression gives %j, has no value',
		async (options) => {
			const parameters = { options: '={{ $json.x }}' };
			const item = await makeItem({ options }, { parameters });
			expect(() => option(flag(on)).read(item)).toThrow(
				"The expression in 'Value' returned nothing",
			);
		},
	);

	test('that nobody has set needs no value', async () => {
		const item = await makeItem({ options: {}, filters: {} });
		expect(option(number(count)).read(item)).toBe(3);
		expect(option(number(count), 9).read(item)).toBe(9);
		expect(filter(text(property)).read(item)).toBe('');
	});
});

test('a filter is a text', async () => {
	const item = await makeItem({ filters: { value: ' active ' } });
	expect(filter(trimmed(property)).read(item)).toBe('active');
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
		['a', 'b, c', ['d', null]],
		['a', 'b', 'c', 'd'],
	],
	[
		[1, '1', 2],
		['1', '2'],
	],
])('%j are the entries %j', async (value, entries) => {
	expect(list(property, /[,;\s]+/, 'texts').parse(value, await makeItem())).toEqual(entries);
});

test.each([{ id: 'a' }, [['a', { id: 'b' }]]])('%j is no list of texts', async (value) => {
	await expect(read(list(property, /,/, 'texts'), value)).rejects.toMatchObject({
		message: "'Value' contains an object",
		description: 'Use an expression that returns a list of texts, or one text with commas.',
	});
});
