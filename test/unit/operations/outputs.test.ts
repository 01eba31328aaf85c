import { resources } from '../../../nodes/MessagingGateway/operations';
import { Item } from '../../../nodes/form/item';
import { makeContext } from '../../../tools/shared/context';
import { accountIn, parametersOf } from '../../../tools/shared/item';

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => [operation.action, operation] as const),
);

const variants = [
	{ output: 'messages' },
	{ output: 'campaign', returnAll: true, includeMessages: true },
];

// A value that cannot be evaluated has to stop the item before its request, not after.
test.each(operations)(
	'%s: reads all its values before the request leaves',
	async (_, operation) => {
		for (const more of variants) {
			const context = makeContext({ items: [{ ...parametersOf(operation), ...more }] });
			const request = await operation.request(new Item(context, await accountIn(context), 0));
			const read = jest.spyOn(context, 'getNodeParameter');
			request.output([{ campaigns: [] }]);
			expect(read.mock.calls.map(([name]) => name)).toEqual([]);
		}
	},
);
