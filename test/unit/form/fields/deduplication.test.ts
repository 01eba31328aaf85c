import { deduplicationOption, type OncePer } from '../../../../nodes/form/fields/deduplication';
import { Item } from '../../../../nodes/form/item';
import { makeContext } from '../../../../tools/shared/context';
import { onceBy } from '../../../../tools/shared/deduplication';
import { accountIn } from '../../../../tools/shared/item';

const expression = '={{ $json.orderId }}';

/** What the first of these items has, where each gives one of the values as its key. */
async function read(keys: unknown[], entered: unknown = expression, oncePer: OncePer = 'key') {
	const options = onceBy(entered as string, oncePer);
	const items = keys.map((value) => ({ options: onceBy(value as string, oncePer) }));
	const context = makeContext({ items, parameters: { options } });
	return deduplicationOption.read(new Item(context, await accountIn(context), 0));
}

test.each([
	[[' order-1 ', 'order-2'], expression, 'order-1'],
	[[4711], expression, '4711'],
	[['order-1', 'order-1'], expression, 'order-1'], // where an expression gives it
	[['order-1'], 'order-1', 'order-1'],
	[['cafe\u0301'], expression, 'caf\u00e9'], // however its accents are encoded
])('of items that have %j, entered as %j, the first one has the key %j', async (...row) => {
	const [values, entered, key] = row;
	expect(await read(values, entered)).toEqual({ key, oncePer: 'key' });
});

test('without the option there is none', async () => {
	const context = makeContext({ items: [{ options: {} }] });
	expect(deduplicationOption.read(new Item(context, await accountIn(context), 0))).toBeUndefined();
});

// In the second one, the braces are not closed.
test.each(['order-1', '={{ $json.orderId'])(
	'a fixed key is refused for several items, unless each number may use it: %s',
	async (entered) => {
		const keys = ['order-1', 'order-1'];
		const perNumber = { key: 'order-1', oncePer: 'keyAndNumber' };
		expect(await read(keys, entered, 'keyAndNumber')).toEqual(perNumber);
		await expect(read(keys, entered)).rejects.toMatchObject({
			message: "The deduplication key is the same for all 2 items: 'order-1'",
			description: expect.stringContaining('{{ $json.orderId }}'),
		});
	},
);

test.each([[['']], [[' ']], [[null]], [[undefined]], [['', 'order-2']]])(
	'a key that was added and is none is refused: %j',
	async (values) => {
		for (const [entered, message, description] of [
			[expression, "The expression in 'Key' returned nothing for this item", 'Drag the right'],
			['', "'Key' is empty", 'sent twice'],
		] as const) {
			await expect(read(values, entered)).rejects.toMatchObject({
				message,
				description: expect.stringContaining(description),
			});
		}
	},
);

// What n8n gives for the ID of an execution that has none, as over MCP.
test.each(['__UNKNOWN__', '__UNKNOWN__ 5511912345678'])(
	'%s is refused: it would be the key of many',
	async (key) => {
		await expect(read([key], expression, 'keyAndNumber')).rejects.toMatchObject({
			message: `A part of the deduplication key has no value for this item: '${key}'`,
		});
	},
);

test.each(['order 😀'.slice(0, -1), '😀 order'.slice(1), '\0'])('%j is not stored', async (key) => {
	const refused = read([key], expression, 'keyAndNumber');
	await expect(refused).rejects.toThrow('contains a character that cannot be stored');
});

test.each(['-', ' / ', '№', '🙂'])('%s names no message', async (key) => {
	await expect(read([key])).rejects.toMatchObject({
		message: expect.stringContaining('The deduplication key has no letter or digit'),
		description: expect.stringContaining("{{ $json.id ?? 'none' }}"),
	});
});
