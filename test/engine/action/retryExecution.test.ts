/** n8n's Retry of a failed execution goes on where the run stopped, and its 'Retry On Fail' within one. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { impatiently, jsonOf, numbers, sends, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const items = numbers(20);
const refused = items[10]!.to;

beforeEach(() => deduplication.reset());

/** A run whose eleventh message is refused, once. */
async function fail(id: (typeof sends)[number] = 'sendSms', action: ActionOptions = {}) {
	gateway.sandbox.fault({ to: refused, times: 1, fault: { status: 400 } });
	const failed = await gateway.run(id, { items, rules: { maxConcurrency: 1 }, ...action });
	expect(failed.status).toBe('error');
	return failed;
}

const acceptedTimes = () => items.map((item) => gateway.sandbox.timesAccepted(item));
const once = items.map(() => 1);

it.each(sends)('%s sends the rest, and outputs the answers of the first run', async (id) => {
	const failed = await fail(id);
	const before = gateway.sandbox.accepted();
	const run = await gateway.retry(failed, id);
	expect(run.error).toBeUndefined();
	expect(acceptedTimes()).toEqual(once);
	expect(jsonOf(run)).toMatchObject(items);
	for (const { to, messageId } of before) {
		expect(jsonOf(run)).toContainEqual(expect.objectContaining({ to, messageId }));
	}
	expect(run.outputs[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
		items.map((_, item) => ({ item })),
	);
});

it('refuses what has a time that has passed since, and sends it with a new one', async () => {
	const at = (hours: number) => {
		const scheduleAt = new Date(Date.now() + hours * 3_600_000).toISOString();
		return { parameters: { scheduleAt }, currentWorkflow: true };
	};
	const failed = await fail('sendSms', { parameters: at(1).parameters });
	const first = gateway.sandbox.accepted();
	const late = await gateway.retry(failed, 'sendSms', at(-1));
	expect(late.error?.message).toContain("'Schedule At' is in the past");
	expect(late.error?.description).toMatch(/^Nothing more was sent\. Enter a time in the future/);
	expect(gateway.sandbox.accepted()).toEqual(first);
	const run = await gateway.retry(late, 'sendSms', at(2));
	expect(run.error).toBeUndefined();
	expect(acceptedTimes()).toEqual(once);
});

it('counts what was sent before where a value keeps the rest from being sent', async () => {
	const failed = await fail();
	const [last] = failed.data.executionData!.nodeExecutionStack[0]!.data.main![0]!.slice(-1);
	last!.json = { to: '12' };
	const held = await gateway.retry(failed, 'sendSms');
	expect(held.error?.description).toMatch(/10 of 20 were sent/);
	expect(gateway.sandbox.accepted()).toHaveLength(10);
});

it('that n8n’s database keeps from going on says to retry, not to run the workflow again', async () => {
	const failed = await fail();
	impatiently();
	const broken = jest.spyOn(deduplication, 'checkProcessedAndRecord');
	broken.mockRejectedValue(new Error('SQLITE_BUSY: database is locked'));
	const held = await gateway.retry(failed, 'sendSms');
	jest.restoreAllMocks();
	expect(held.error?.message).toContain('SQLITE_BUSY');
	expect(held.error?.description).toContain('Use Retry again once that works.');
	expect(held.error?.description).not.toContain('Run the workflow again'); // it would send ten twice
	expect((await gateway.retry(held, 'sendSms')).error).toBeUndefined();
	expect(acceptedTimes()).toEqual(once);
});

it('goes on with the rounds of a loop after one in which nothing could be sent, once', async () => {
	const bad = { ...items[0]!, to: '12' };
	const failed = await gateway.run('sendSms', { items: [bad], executionId: '7' });
	const retryAll = async (executionId: string) => {
		const onError = 'continueErrorOutput' as const;
		const rounds = [failed];
		for (const item of [undefined, ...items.slice(1, 3)]) {
			const next = rounds.at(-1)!;
			const stack = structuredClone(failed.data.executionData!.nodeExecutionStack);
			if (item) stack[0]!.data.main![0]![0]!.json = item;
			next.data.executionData!.nodeExecutionStack = stack;
			const action = { executionId, onError, currentWorkflow: true };
			rounds.push(await gateway.retry(next, 'sendSms', action));
		}
		return rounds.slice(1).flatMap(({ outputs }) => outputs.flat().map(({ json }) => json));
	};
	const invalid = { error: { outcome: 'refused' } };
	expect(await retryAll('8')).toMatchObject([invalid, ...items.slice(1, 3)]);
	const forgotten = { error: { outcome: 'unknown' } };
	expect(await retryAll('9')).toMatchObject([invalid, forgotten, forgotten]);
	expect(gateway.sandbox.requests()).toHaveLength(2);
});

it('sends items with keys once where n8n has no record of the run', async () => {
	const options = onceBy('={{ $json.to }}');
	const failed = await fail('sendSms', { options });
	failed.data.executionData!.contextData = {};
	const run = await gateway.retry(failed, 'sendSms', { options });
	expect(run.error).toBeUndefined();
	expect(acceptedTimes()).toEqual(once);
	expect(jsonOf(run).filter(({ skipped }) => skipped)).toHaveLength(10);
});

/** It runs the whole node again, with all items; nothing may be sent twice. */
describe("'Retry On Fail'", () => {
	const setting = { retryOnFail: true };
	const items = numbers(6);

	it.each(sends)('%s goes on where it stopped', async (id) => {
		gateway.sandbox.fault({ to: items[3]!.to, times: 1, fault: { status: 400 } });
		const run = await gateway.run(id, { items, ...setting });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toMatchObject(items);
		for (const item of items) {
			expect(gateway.sandbox.timesAccepted(item)).toBe(1);
			const [{ messageId } = {}] = gateway.sandbox.accepted(item);
			expect(jsonOf(run)).toContainEqual(expect.objectContaining({ ...item, messageId }));
		}
	});

	it('is not begun by a service that says of what it accepted that there was no error', async () => {
		const body = [{ success: true, messageId: 'm-1', status: 'pending', error: '' }];
		gateway.sandbox.fault({
			to: items[0]!.to,
			fault: { status: 200, body, accept: true } as never,
		});
		const run = await gateway.run('sendSms', { items, ...setting });
		expect(jsonOf(run)).toMatchObject(items);
		expect(gateway.sandbox.requests()).toHaveLength(items.length);
	});

	it('outputs the answers of the first try with a deduplication key, not that they were skipped', async () => {
		gateway.sandbox.fault({ to: items[5]!.to, times: 1, fault: { status: 400 } });
		const options = onceBy('={{ $execution.id }} {{ $json.to }}');
		const run = await gateway.run('sendSms', { items, options, ...setting });
		expect(jsonOf(run)).toMatchObject(items.map(() => ({ messageId: expect.any(String) })));
	});
});
