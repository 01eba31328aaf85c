import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../nodes/MessagingGateway/operation';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { Item } from '../../../nodes/form/item';
import { judgeAnswer } from '../../../nodes/gateway/judge/answer';
import { json } from '../support/answers';
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
	test('makes objects of any answer that counts as accepted', async () => {
		const requests = await Promise.all(
			variants.map(async (more) => (await prepare(operation, more)).request),
		);
		fc.assert(
			fc.property(fc.option(json, { nil: undefined }), (value) => {
				for (const request of requests) {
					const outcome = judgeAnswer(
						{ statusCode: 200, headers: {}, body: JSON.stringify(value) },
						request.expected ?? 'object',
						(text) => text,
					);
					if (outcome.kind !== 'accepted') continue;
					const outputs: unknown[] = [request.output(outcome.body)].flat();
					expect(outputs.filter((output) => typeof output !== 'object' || !output)).toEqual([]);
				}
			}),
			{ numRuns: 30 }, // more in test/fuzz/answers.test.ts,
		);
	});

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
