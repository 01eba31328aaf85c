import { deduplicationOptions } from '../../../../nodes/form/fields/deduplicationKey';
import { Item } from '../../../../nodes/form/item';
import { connect } from '../../../../nodes/gateway/client';
import { makeContext } from '../../../../tools/shared/context';

const expression = '={{ $json.orderId }}';

/** The key of the first of these items. */
async function key(
	deduplicationKeys: unknown[],
	entered: unknown = expression,
	scope: { deduplicationScope?: string } = {},
) {
	const options = { deduplicationKey: entered as string, ...scope };
	const items = deduplicationKeys.map((value) => ({
		options: { deduplicationKey: value as string, ...scope },
	}));
	const context = makeContext({ items, parameters: { options } });
	return deduplicationOptions.deduplicationKey.read(new Item(context, await connect(context), 0));
}

test.each([
	[[' order-1 ', 'order-2'], expression, 'order-1'],
	[[4711], expression, '4711'],
	[['order-1', 'order-1'], expression, 'order-1'], // where an expression gives it
	[['order-1'], 'order-1', 'order-1'],
])(
	'of items that have %j, entered as %j, the first one has the key %j',
	async (values, entered, is) => {
		expect(await key(values, entered)).toBe(is);
	},
);

test('a fixed key is refused for several items, unless each number may use it', async () => {
	const keys = ['order-1', 'order-1'];
	expect(await key(keys, 'order-1', { deduplicationScope: 'keyAndNumber' })).toBe('order-1');
	await expect(key(keys, 'order-1')).rejects.toMatchObject({
		message: "'Deduplication Key' is the same for all 2 items: 'order-1'",
		description: expect.stringContaining('{{ $json.orderId }}'),
	});
});

test.each([[['']], [[' ']], [[null]], [[undefined]], [['', 'order-2']]])(
	'a key that was added and is none is refused: %j',
	async (values) => {
		for (const entered of [expression, '']) {
			await expect(key(values, entered)).rejects.toMatchObject({
				message: "'Deduplication Key' is empty",
				description: expect.stringContaining('sent twice'),
			});
		}
	},
);
