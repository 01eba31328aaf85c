import { NodeOperationError, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { Entered, Item } from '../../../nodes/form/item';
import { credential, makeContext } from '../../../tools/shared/context';
import { accountIn, makeItem } from '../../../tools/shared/item';

const parameter = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});

test('each parameter is evaluated once, for the item it belongs to', async () => {
	const context = makeContext({
		items: [{ to: 'first' }, { to: 'second', options: { a: 1, b: 2 } }],
	});
	const read = jest.spyOn(context, 'getNodeParameter');
	const item = new Item(context, await accountIn(context), 1);
	const values = () => [
		item.raw(parameter('to')),
		item.raw(parameter('a'), 'options'),
		item.raw(parameter('b'), 'options'),
	];
	expect([...values(), ...values()]).toEqual(['second', 1, 2, 'second', 1, 2]);
	expect(read.mock.calls.map(([name, index]) => [name, index])).toEqual([
		['to', 1],
		['options', 1],
	]);
});

test.each<[string, INodeParameters, evaluations: number]>([
	['a text', { to: '5511912345678' }, 1],
	['nothing', { to: '' }, 1],
	['a number', { to: 7 }, 1],
	['null', { to: null as never }, 1],
	['an object', { to: { mode: 'id', value: 'a = b', list: [{ x: 'y' }] } }, 1],
	['an expression', { to: '={{ $json.to }}' }, 3],
	['an expression in an object', { to: { mode: 'id', value: '={{ $json.to }}' } }, 3],
	['an expression in a list', { to: [{ a: ['=1'] }] as never }, 3],
	['a parameter that is not set', {}, 3],
])('%s: of three items, all have what was entered', async (_, parameters, evaluations) => {
	const context = makeContext({ items: [{}, {}, {}], parameters });
	const read = jest.spyOn(context, 'getNodeParameter').mockReturnValue('x');
	const account = await accountIn(context);
	const entered = new Entered(context);
	for (const index of [0, 1, 2]) {
		const item = new Item(context, account, index, entered);
		expect(item.raw(parameter('to'))).toBe('x');
	}
	expect(read).toHaveBeenCalledTimes(evaluations);
});

test('an invalid value is an error of that item, without a secret', async () => {
	const error = (await makeItem()).invalid(
		`Not ECONNREFUSED ${credential.apiKey}`, // n8n replaces a message with a network code
		`Nor ${credential.instanceToken}.`,
	);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect([error.message, error.description, error.context.itemIndex]).toEqual([
		'Not ECONNREFUSED ***',
		'Nor ***.',
		0,
	]);
	expect(JSON.stringify(error)).not.toMatch(/key-|token-/);
});
