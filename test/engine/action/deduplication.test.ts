/** Messages with a deduplication key, over several runs of one node. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { jsonOf, numbers, sends, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

type Send = (typeof sends)[number];

const keyed = async (
	items: Array<{ to: string; key?: string }>,
	action: ActionOptions = {},
	id: Send = 'sendSms',
) =>
	await gateway.run(id, {
		onError: 'continueRegularOutput',
		...action,
		items,
		options: { ...onceBy('={{ $json.key ?? $json.to }}'), ...action.options },
	});

const skipped = (deduplicationKey: string, number = deduplicationKey) => ({
	skipped: true,
	to: number,
	deduplicationKey,
	reason: 'duplicate',
	explanation: 'A message with this key was accepted before',
});

const count = () => gateway.sandbox.requests().length;

describe.each(sends)('%s', (id) => {
	it('is sent by the first run and skipped by later ones', async () => {
		const items = numbers(3);
		expect(jsonOf(await keyed(items, {}, id))).toMatchObject(items);
		for (let run = 0; run < 2; run++) {
			const { outputs } = await keyed([...items, { to: '5511987654321' }], {}, id);
			expect(outputs[0]!.slice(0, 3)).toEqual(
				items.map(({ to }, item) => ({ json: skipped(to), pairedItem: { item } })),
			);
		}
		for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
		expect(count()).toBe(4);
	});
});

describe('a key', () => {
	const [item] = numbers(1);

	it('of a message that is refused is free again', async () => {
		gateway.sandbox.fault({ times: 1, fault: { status: 400 } });
		expect(jsonOf(await keyed([item!]))).toMatchObject([{ error: { outcome: 'refused' } }]);
		expect(jsonOf(await keyed([item!]))).toMatchObject([item]);
		expect(jsonOf(await keyed([item!]))).toEqual([skipped(item!.to)]);
	});

	it('of a message without a usable answer stays taken', async () => {
		gateway.sandbox.fault({ times: 1, fault: { reset: 'afterAccept' } });
		expect(jsonOf(await keyed([item!]))).toMatchObject([{ error: { outcome: 'unknown' } }]);
		expect(jsonOf(await keyed([item!]))).toEqual([
			{
				error: {
					...{ item: 0, to: item!.to },
					message: `The message may have been sent: an earlier attempt with the key '${item!.to}' has no recorded answer`,
					hint: expect.stringContaining("'Message: Get Status'"),
					outcome: 'unknown',
				},
			},
		]);
		expect(count()).toBe(1);
	});

	it.each([
		['half of an emoji', 'order 😀'.slice(0, -1)],
		['its other half', '😀 order'.slice(1)],
		['a NUL', 'order\0'],
	])('that holds %s is refused alone', async (_, key) => {
		const items = numbers(3).map(({ to }, index) => ({ to, key: index === 1 ? key : to }));
		expect(jsonOf(await keyed(items))).toMatchObject([
			{ to: items[0]!.to },
			{
				error: {
					message: 'The deduplication key contains a character that cannot be stored',
					outcome: 'refused',
				},
			},
			{ to: items[2]!.to },
		]);
		expect(count()).toBe(2);
	});
});
