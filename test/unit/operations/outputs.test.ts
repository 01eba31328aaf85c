import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../nodes/send/operation';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { Item } from '../../../nodes/form/item';
import { makeContext } from '../../../tools/shared/context';
import { accountIn, parametersOf } from '../../../tools/shared/item';

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => [operation.action, operation] as const),
);

async function prepare(operation: Operation, more: IDataObject) {
	const context = makeContext({ items: [{ ...parametersOf(operation), ...more }] });
	const item = new Item(context, await accountIn(context), 0);
	return { context, request: await operation.request(item) };
}

const variants = [
	{ output: 'messages' },
	{ output: 'campaign', returnAll: true, includeMessages: true },
];

describe.each(operations)('%s', (_, operation) => {
	// A value that cannot be evaluated has to stop the item before its request, not after.
	test('reads all its values before the request leaves', async () => {
		for (const more of variants) {
			const { context, request } = await prepare(operation, more);
			const read = jest.spyOn(context, 'getNodeParameter');
			request.output([{ campaigns: [] }]);
			expect(read.mock.calls.map(([name]) => name)).toEqual([]);
		}
	});
});
