/** Messages with a deduplication key: over several runs of one node, and where n8n's store fails. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { impatiently, jsonOf, moment, numbers, sends, until, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const options = onceBy('={{ $json.to }}');
const onError = 'continueRegularOutput';

it.each(sends)('%s: a message is sent by the first run and skipped by later ones', async (id) => {
	const items = numbers(3);
	expect(jsonOf(await gateway.run(id, { items, options, onError }))).toMatchObject(items);
	for (let run = 0; run < 2; run++) {
		const more = [...items, { to: '5511987654321' }];
		const { outputs } = await gateway.run(id, { items: more, options, onError });
		const skipped = items.map(({ to }, item) => ({
			json: {
				skipped: true,
				to,
				deduplicationKey: to,
				reason: 'duplicate',
				explanation: 'A message with this key was accepted before',
			},
			pairedItem: { item },
		}));
		expect(outputs[0]!.slice(0, 3)).toEqual(skipped);
	}
	for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
	expect(gateway.sandbox.requests()).toHaveLength(4);
});

describe('the store', () => {
	it('is called by an execution under way, not by the one before it', async () => {
		const callers: unknown[] = [];
		let answer = () => {};
		const held = new Promise<void>((resolve) => (answer = resolve));
		const record = deduplication.checkProcessedAndRecord.bind(deduplication);
		jest.spyOn(deduplication, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
			callers.push(args[2].workflow);
			if (callers.length === 2) await held; // records that the first message was accepted
			return await record(...args);
		});
		const [one, other] = numbers(2);
		const first = await gateway.start('sendSms', { items: [one!], options });
		await until(() => callers.length === 2);
		const second = await gateway.start('sendSms', { items: [other!], options });
		await moment();
		answer();
		await first.finished;
		expect(jsonOf(await second.finished)).toMatchObject([other!]);
		const [over, , ...later] = callers;
		expect(later.length).toBeGreaterThan(0);
		expect(later).not.toContain(over);
	});

	it('lets nothing be sent when it fails to claim', async () => {
		impatiently();
		const broken = jest.spyOn(deduplication, 'checkProcessedAndRecord');
		broken.mockRejectedValue(new Error('SQLITE_BUSY: database is locked'));
		const items = numbers(3);
		const run = await gateway.run('sendSms', { items, options, onError });
		const error = {
			message: expect.stringContaining('SQLITE_BUSY'),
			hint: "Run the workflow again once n8n's database works. Nothing was sent, because it is not known whether this message was sent before.",
			outcome: 'refused',
		};
		expect(jsonOf(run)).toMatchObject(items.map(() => ({ error })));
		const stopped = await gateway.run('sendSms', { items, options });
		expect(stopped.error?.message).toContain('SQLITE_BUSY');
		expect(gateway.sandbox.requests()).toEqual([]);

		broken.mockRestore();
		const later = await gateway.run('sendSms', { items, options, onError });
		expect(jsonOf(later)).toMatchObject(items);
	});
});
