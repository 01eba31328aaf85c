/** How the node uses n8n's deduplication store, and what happens when the store fails. */
import { onceBy } from '../../../tools/shared/deduplication';

import { deduplication } from '../harness';
import { impatiently, jsonOf, moment, numbers, until, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const options = onceBy('={{ $json.to }}');
const onError = 'continueRegularOutput';

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
