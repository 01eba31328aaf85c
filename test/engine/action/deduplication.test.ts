/** Messages with a deduplication key, over several runs of one node. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { jsonOf, numbers, sends, until, useGateway, type ActionOptions } from './support';

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

	it.each([{ status: 400 }, { tooMany: true, retryAfter: 0 }] as const)(
		'of a message refused with %j is free again',
		async (fault) => {
			gateway.sandbox.fault({ times: 1, fault });
			expect(jsonOf(await keyed([item!]))).toMatchObject([{ error: { outcome: 'refused' } }]);
			expect(jsonOf(await keyed([item!]))).toMatchObject([item]);
			expect(jsonOf(await keyed([item!]))).toEqual([skipped(item!.to)]);
		},
	);

	it.each([{ status: 500 }, { reset: 'afterAccept' }] as const)(
		'of a message without a usable answer, %j, stays taken',
		async (fault) => {
			gateway.sandbox.fault({ times: 1, fault });
			expect(jsonOf(await keyed([item!]))).toMatchObject([{ error: { outcome: 'unknown' } }]);
			for (let run = 0; run < 2; run++) {
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
			}
			expect(count()).toBe(1);
		},
	);

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

	it('that another execution is using does not delay a stop', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 3_600_000 } });
		const action = {
			items: [item!],
			options: onceBy('={{ $json.to }}'),
			rules: { timeout: 3_600_000 },
		};
		const first = await gateway.start('sendSms', action);
		await until(() => count() === 1);
		const second = await gateway.start('sendSms', action);
		await new Promise((resolve) => setTimeout(resolve, 50));
		second.cancel();
		expect((await second.finished).status).toBe('canceled');
		first.cancel();
		await first.finished;
		expect(count()).toBe(1);
	});
});
