/** How the node uses n8n's deduplication store, and what happens when the store fails. */
import { onceBy } from '../../../tools/shared/deduplication';

import { deduplication } from '../harness';
import { impatiently, jsonOf, moment, numbers, until, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const options = onceBy('={{ $json.to }}');
const onError = 'continueRegularOutput';
const count = () => gateway.sandbox.requests().length;
const calls = () => Object.values(deduplication.calls).reduce((sum, times) => sum + times);

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
		expect(count()).toBe(0);

		broken.mockRestore();
		const later = await gateway.run('sendSms', { items, options, onError });
		expect(jsonOf(later)).toMatchObject(items);
	});
});

describe('a workflow that keeps the keys', () => {
	let isDown = true;
	afterEach(() => (isDown = false)); // claims that are given back are repeated until it works

	it("replaces n8n's store", async () => {
		impatiently();
		const rules = { deduplicationWorkflowId: 'nowhere' };
		const subWorkflow = async () => {
			if (isDown) throw new Error('Connection refused');
			return [];
		};
		const action = { items: numbers(2), options, rules, onError, subWorkflow } as const;
		const run = await gateway.run('sendSms', action);
		const error = {
			message: expect.stringContaining("The deduplication workflow 'nowhere' did not work"),
			hint: expect.stringMatching(/^Open its executions in n8n to see why\. /),
		};
		expect(jsonOf(run)).toMatchObject([{ error }, { error }]);
		expect(calls()).toBe(0);
		expect(count()).toBe(0);
	});
});
