/** Messages with a deduplication key, over several runs of one node. */
import { OPERATIONAL_ERRORS } from '../../../sandbox';
import { deduplication } from '../harness';
import { jsonOf, numbers, pairs, sends, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

type Send = (typeof sends)[number];

const keyed = async (
	items: Array<{ to: string }>,
	action: ActionOptions = {},
	id: Send = 'sendSms',
) =>
	await gateway.run(id, {
		onError: 'continueRegularOutput',
		...action,
		items,
		options: { deduplicationKey: '={{ $json.key ?? $json.to }}', ...action.options },
	});

const skipped = (deduplicationKey: string) => ({
	skipped: true,
	deduplicationKey,
	reason: 'A message with this key was accepted before',
});

const count = () => gateway.sandbox.requests().length;

describe.each(sends)('%s', (id) => {
	it('is sent by the first run and skipped by later ones', async () => {
		const items = numbers(3);
		expect(jsonOf(await keyed(items, {}, id))).toMatchObject(items);
		for (let run = 0; run < 2; run++) {
			const { outputs } = await keyed([...items, { to: '5511999999999' }], {}, id);
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

	it.each([
		{ refuse: OPERATIONAL_ERRORS.instanceDisconnected.message },
		{ status: 400 },
		{ tooMany: true },
		{ refuse: 'Indisponível.', status: 503 },
	] as const)('of a message refused with %j is free again', async (fault) => {
		gateway.sandbox.fault({ times: 1, fault });
		expect(jsonOf(await keyed([item!]))).toMatchObject([{ details: { outcome: 'refused' } }]);
		expect(jsonOf(await keyed([item!]))).toMatchObject([item]);
		expect(jsonOf(await keyed([item!]))).toEqual([skipped(item!.to)]);
	});

	it('of a message that never left is free again', async () => {
		const credential = { baseUrl: 'http://127.0.0.1:1' };
		await keyed([item!], { credential });
		expect(jsonOf(await keyed([item!]))).toMatchObject([item]);
	});

	it.each([
		{ status: 500 },
		{ reset: 'afterAccept' },
		{ html: true },
		{ truncate: true },
		{ delayMs: 600 },
	] as const)('of a message without a usable answer, %j, stays taken', async (fault) => {
		gateway.sandbox.fault({ times: 1, fault });
		const options = { timeout: 'delayMs' in fault ? 300 : 10_000 };
		const first = await keyed([item!], { options });
		expect(jsonOf(first)).toMatchObject([{ details: { outcome: 'unknown' } }]);
		for (let run = 0; run < 2; run++) {
			expect(jsonOf(await keyed([item!]))).toEqual([
				{
					error: `The message may have been sent: an earlier attempt with the key '${item!.to}' has no recorded answer`,
					message: expect.stringContaining("'Campaign: Get'"),
					details: { outcome: 'unknown' },
				},
			]);
		}
		expect(count()).toBe(1);
	});

	it('that stands twice in a run is sent once', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 20 } });
		const items = numbers(8).map(({ to }, index) => ({ to, key: `order ${index % 4}` }));
		const run = await keyed(items);
		expect(jsonOf(run)).toMatchObject([
			...items.slice(0, 4).map(({ to }) => ({ to })),
			...items.slice(4).map(({ key }) => skipped(key)),
		]);
		expect(pairs(run.outputs[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
		expect(count()).toBe(4);
	});

	it('that stands twice is sent by the second item where the first one was refused', async () => {
		const items = numbers(2).map(({ to }) => ({ to, key: 'order' }));
		gateway.sandbox.fault({ times: 1, fault: { status: 400 } });
		expect(jsonOf(await keyed(items))).toMatchObject([{ error: /./ }, { to: items[1]!.to }]);
	});

	it.each(['', ' '])('%j is none', async (deduplicationKey) => {
		const options = { deduplicationKey };
		for (let run = 0; run < 2; run++) await keyed([item!], { options });
		expect(gateway.sandbox.timesAccepted(item!)).toBe(2);
		expect(deduplication.calls.checkProcessedAndRecord).toBe(0);
	});

	it.each(['={{ undefined }}', '={{ null }}', '={{ $json.orderId }}', '={{ " " }}', '={{ {} }}'])(
		'that %s does not give an item keeps it from being sent',
		async (deduplicationKey) => {
			const [json] = jsonOf(await keyed([item!], { options: { deduplicationKey } }));
			expect(json).toMatchObject({ error: /^'Deduplication Key' is/ });
			expect(count()).toBe(0);
		},
	);

	it('is kept from executions that run at the same moment', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 50 } });
		const items = numbers(10);
		const all = async () => await Promise.all(items.map(async (each) => await keyed([each])));
		expect((await all()).map((run) => jsonOf(run)[0])).toMatchObject(items);
		expect((await all()).map((run) => jsonOf(run)[0])).toEqual(
			items.map((each) => skipped(each.to)),
		);
		expect(count()).toBe(10);
	});

	it('that executions use at the same moment is sent by one of them', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 50 } });
		await Promise.all(Array.from({ length: 5 }, async () => await keyed([item!])));
		expect(gateway.sandbox.timesAccepted(item!)).toBe(1);
	});

	it.each([42, 0, false])('%j is one', async (key) => {
		const options = { deduplicationKey: `={{ ${key} }}` };
		await keyed([item!], { options });
		expect(jsonOf(await keyed([item!], { options }))).toEqual([skipped(String(key))]);
	});

	it('holds where n8n tries the whole node again', async () => {
		const items = numbers(5);
		gateway.sandbox.fault({ to: items[4]!.to, times: 1, fault: { status: 400 } });
		await keyed(items, { onError: 'stopWorkflow', retryOnFail: true });
		for (const each of items) expect(gateway.sandbox.timesAccepted(each)).toBe(1);
	});
});
