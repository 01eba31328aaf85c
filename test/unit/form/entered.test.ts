import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { Entered } from '../../../nodes/form/entered';

/** Reads a parameter for three items; says how often it was evaluated, and what came of it. */
function read(parameters: INodeParameters, name = 'to') {
	const entered = new Entered({ getNode: () => ({ parameters }) } as IExecuteFunctions);
	let evaluations = 0;
	const values = [1, 2, 3].map(() => entered.value(name, () => ++evaluations));
	return { evaluations, values };
}

test.each<[string, INodeParameters]>([
	['a text', { to: '5511912345678' }],
	['nothing', { to: '' }],
	['a number', { to: 7 }],
	['null', { to: null as never }],
	['an object', { to: { mode: 'id', value: 'a = b', list: [{ x: 'y' }] } }],
])('%s is read once', (_, parameters) => {
	expect(read(parameters)).toEqual({ evaluations: 1, values: [1, 1, 1] });
});

test.each<[string, INodeParameters]>([
	['an expression', { to: '={{ $json.to }}' }],
	['an expression in an object', { to: { mode: 'id', value: '={{ $json.to }}' } }],
	['an expression in a list', { to: [{ a: ['=1'] }] as never }],
	['a parameter that is not set', {}],
])('%s is read for each item', (_, parameters) => {
	expect(read(parameters)).toEqual({ evaluations: 3, values: [1, 2, 3] });
});

test('a value that cannot be read is not kept', () => {
	const entered = new Entered({ getNode: () => ({ parameters: { to: 'x' } }) } as never);
	const unreadable = () => {
		throw new Error('unreadable');
	};
	expect(() => entered.value('to', unreadable)).toThrow('unreadable');
	expect(entered.value('to', () => 'x')).toBe('x');
});
