import { toList } from '../../../nodes/MessagingGatewayStatusTrigger/form';

test.each<[unknown, string[] | undefined]>([
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
	[{ id: 'a' }, undefined],
	[['a', { id: 'b' }], undefined],
])('%j are the entries %j', (value, entries) => {
	expect(toList(value, /[,;\s]+/)).toEqual(entries);
});
