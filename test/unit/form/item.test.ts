import { NodeOperationError } from 'n8n-workflow';

import { Item } from '../../../nodes/form/item';
import { connect } from '../../../nodes/gateway/client';
import { credential, makeContext } from '../../../testing/context';
import { makeItem } from '../../../testing/item';

test('each parameter is evaluated once, for the item it belongs to', async () => {
	const context = makeContext({
		items: [{ to: 'first' }, { to: 'second', options: { a: 1, b: 2 } }],
	});
	const read = jest.spyOn(context, 'getNodeParameter');
	const item = new Item(context, await connect(context), 1);
	const text = () => item.text('to', 'To');
	expect([text(), text(), item.option('a'), item.option('b')]).toEqual(['second', 'second', 1, 2]);
	expect(read.mock.calls.map(([name, index]) => [name, index])).toEqual([
		['to', 1],
		['options', 1],
	]);
});

test('so is the value of a resource locator', async () => {
	const context = makeContext({ items: [{ keyId: { mode: 'list', value: ' k1 ' } }] });
	const read = jest.spyOn(context, 'getNodeParameter');
	const item = new Item(context, await connect(context), 0);
	const locator = () => item.requiredLocator('keyId', 'API Key');
	expect([locator(), locator()]).toEqual(['k1', 'k1']);
	expect(read).toHaveBeenCalledTimes(1);
});

test('a value that contains itself is told with what to do', async () => {
	const context = makeContext();
	jest.spyOn(context, 'getNodeParameter').mockImplementation(() => {
		throw new RangeError('Maximum call stack size exceeded');
	});
	const item = new Item(context, await connect(context), 0);
	expect(() => item.text('to', 'To')).toThrow(
		expect.objectContaining({
			message: 'A value of this item contains itself or is nested too deep',
			description: expect.stringContaining('name single fields'),
		}),
	);
});

test.each([
	[7, '7'],
	[0, '0'],
	[false, 'false'],
	[undefined, ''],
	[null, ''],
	[' a ', ' a '],
	[new Date(0), String(new Date(0))],
])('%j as text is %j', async (value, text) => {
	expect((await makeItem({ value: value as string })).text('value', 'Value')).toBe(text);
});

test.each([
	[{ name: 'Ana' }, 'an object'],
	[{ toString: 1, valueOf: 1 }, 'an object'], // of which JavaScript makes no text
	[['Ana'], 'a list'],
	[[], 'a list'],
	[NaN, 'NaN'],
	[Infinity, 'Infinity'],
])('%j is no text', async (value, kind) => {
	const item = await makeItem({ value, options: { value } });
	const message = `'Value' is ${kind}, not a text`;
	expect(() => item.text('value', 'Value')).toThrow(message);
	expect(() => item.requiredText('value', 'Value')).toThrow(message);
	expect(() => item.optionText('value', 'Value')).toThrow(message);
});

test.each([undefined, ''])('an option that is %j is not set', async (value) => {
	const item = await makeItem({ options: { mimeType: value } });
	expect(item.option('mimeType')).toBeUndefined();
	expect(item.optionText('mimeType', 'MIME Type')).toBe('');
});

test.each([0, false, null])('an option that is %j is set', async (value) => {
	expect((await makeItem({ options: { value } })).option('value')).toBe(value);
});

test.each([
	[undefined, 3],
	[0, 0],
	['5', 5],
	[2.5, 2.5],
])('an option that is %j is the number %j', async (value, number) => {
	expect((await makeItem({ options: { value } })).optionNumber('value', 'Value', 3, 0)).toBe(
		number,
	);
});

const noNumbers = ['abc', -1, NaN, Infinity, {}, [], [5], true, ' ', '-1', '1,5'];

test.each(noNumbers)('%j is no number', async (value) => {
	const item = await makeItem({ value, options: { value } });
	expect(() => item.number('value', 'Value', 0)).toThrow("'Value' is not a number from 0");
	expect(() => item.optionNumber('value', 'Value', 3, 0)).toThrow("'Value' is not a number from 0");
});

test('an option that is less than the least is refused', async () => {
	const item = await makeItem({ options: { value: 0 } });
	expect(() => item.optionNumber('value', 'Value', 3, 1)).toThrow("'Value' is not a number from 1");
});

test.each([
	[true, true],
	['true', true],
	[' FALSE ', false],
	[false, false],
])('a switch that is %j is %j', async (value, expected) => {
	const item = await makeItem({ value, options: { value } });
	expect(item.flag('value', 'Switch')).toBe(expected);
	expect(item.optionFlag('value', 'Switch', !expected)).toBe(expected);
});

test('a switch in the options that is not set has its default', async () => {
	const item = await makeItem({ options: {} });
	expect(item.optionFlag('value', 'Switch', true)).toBe(true);
	expect(item.optionFlag('value', 'Switch', false)).toBe(false);
});

test.each([1, 0, '', 'yes', {}])('a switch cannot be %j', async (value) => {
	const item = await makeItem({ value });
	expect(() => item.flag('value', 'Switch')).toThrow("'Switch' is neither true nor false");
});

test.each([1, 0, 'yes', {}])('a switch in the options cannot be %j', async (value) => {
	const item = await makeItem({ options: { value } });
	const read = () => item.optionFlag('value', 'Switch', true);
	expect(read).toThrow("'Switch' is neither true nor false");
});

test('a choice is one of its values', async () => {
	const item = await makeItem({ a: ' sms ', b: 'SMS', c: '', d: [] });
	const choose = (name: string) => item.choice(name, 'Channel', ['chatApp', 'sms']);
	expect(choose('a')).toBe('sms');
	expect(() => choose('b')).toThrow("'Channel' is not one of its choices: 'SMS'");
	expect(() => choose('c')).toThrow("'Channel' is empty");
	expect(() => choose('d')).toThrow("'Channel' is a list, not a text");
});

test.each([
	[1, 1],
	['2', 2],
	[' 3 ', 3],
])('a parameter that is %j is the number %j', async (value, number) => {
	expect((await makeItem({ value })).number('value', 'Value', 1)).toBe(number);
});

describe('an expression that gives an item nothing', () => {
	const expressions = {
		options: { value: '={{ $json.x }}' },
		filters: { value: '={{ $json.x }}' },
	};
	const read = {
		'a switch': (item: Item) => item.optionFlag('value', 'Value', false),
		'a filter': (item: Item) => item.filterText('value', 'Value'),
		'what must not be missing': (item: Item) => item.rejectMissing('value', 'Value'),
	};
	test.each(Object.entries(read))('is told of %s', async (_, of) => {
		for (const value of [undefined, null]) {
			const item = await makeItem(
				{ options: { value }, filters: { value } },
				{ parameters: expressions },
			);
			expect(item.optionIsMissing('value')).toBe(true);
			expect(() => of(item)).toThrow("'Value' has no value");
		}
	});

	test.each(Object.entries(read))('is no matter where none is set: %s', async (_, of) => {
		const item = await makeItem({ options: {}, filters: {} });
		expect(item.optionIsMissing('value')).toBe(false);
		expect(() => of(item)).not.toThrow();
	});

	test('a number has its default then', async () => {
		const item = await makeItem({ options: { value: null } }, { parameters: expressions });
		expect(item.optionNumber('value', 'Value', 3, 0)).toBe(3);
	});

	test('an empty text is something', async () => {
		const item = await makeItem(
			{ options: { value: '' }, filters: { value: '' } },
			{ parameters: expressions },
		);
		expect(item.optionIsMissing('value')).toBe(false);
		expect(item.filterText('value', 'Value')).toBe('');
		expect(item.optionNumber('value', 'Value', 3, 0)).toBe(3);
	});
});

test('a filter is a text', async () => {
	const item = await makeItem({ filters: { a: ' active ', b: {} } });
	expect(item.filterText('a', 'A')).toBe('active');
	expect(item.filterText('none', 'None')).toBe('');
	expect(() => item.filterText('b', 'B')).toThrow("'B' is an object, not a text");
});

test('a part of a path cannot lead to another one', async () => {
	const item = await makeItem();
	expect(item.pathPart('a/b?c', 'ID')).toBe('a%2Fb%3Fc');
	for (const id of ['.', '..']) {
		expect(() => item.pathPart(id, 'ID')).toThrow(`'ID' is not an identifier: '${id}'`);
	}
});

test('a required value is trimmed, and an empty one is named', async () => {
	const item = await makeItem({ id: ' x ', empty: ' ', locator: { mode: 'id', value: 'key 1' } });
	expect(item.requiredText('id', 'ID')).toBe('x');
	expect(item.requiredLocator('locator', 'Key')).toBe('key 1');
	expect(() => item.requiredText('empty', 'The Field')).toThrow("'The Field' is empty");
	expect(() => item.requiredLocator('missing', 'Key')).toThrow("'Key' is empty");
});

test('chat-app paths carry the name of the account, and need its token', async () => {
	const path = async (more: object) =>
		(await makeItem({}, { credential: { ...credential, ...more } })).chatAppPath('/message/x');
	expect(await path({})).toBe('/v2/chatapp/message/x');
	expect(await path({ chatAppName: 'my app' })).toBe('/v2/my%20app/message/x');
	await expect(path({ instanceToken: '' })).rejects.toThrow("'Instance Token' is missing");
});

test('an invalid value is an error of that item, without a secret', async () => {
	const error = (await makeItem()).invalid(
		`Not ${credential.apiKey}`,
		`Nor ${credential.instanceToken}.`,
	);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect([error.message, error.description, error.context.itemIndex]).toEqual([
		'Not •••',
		'Nor •••.',
		0,
	]);
	expect(JSON.stringify(error)).not.toMatch(/key-|token-/);
});

test('a stored file comes with its length, and opens as often as it is asked for', async () => {
	const item = await makeItem({}, { stored: { 'file-1': Buffer.from('Ogg') } });
	const file = await item.storedFile('file-1');
	expect(file.size).toBe(3);
	expect(await file.open()).not.toBe(await file.open());
});

test('a switch is not an object that has no text', async () => {
	const item = await makeItem({ value: { toString: 1, valueOf: 1 } });
	expect(() => item.flag('value', 'Value')).toThrow("'Value' is neither true nor false");
});

test('half of a sign is no identifier: it has no place in an address', async () => {
	const item = await makeItem();
	expect(() => item.pathPart('a\ud800', 'ID')).toThrow("'ID' is not an identifier");
	expect(item.pathPart('😀', 'ID')).toBe('%F0%9F%98%80');
});
