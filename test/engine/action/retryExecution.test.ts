/** n8n's Retry of a failed execution goes on where the run stopped. */
import type { IDataObject } from 'n8n-workflow';

import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication, type NodeRun } from '../harness';
import { jsonOf, numbers, sends, useGateway, type ActionOptions } from './support';

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
const journalOf = ({ data }: NodeRun) =>
	Object.values(data.executionData!.contextData)[0]?.journal as IDataObject;

describe.each(sends)('%s', (id) => {
	it('sends what was not sent, and outputs the answers of the first run', async () => {
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
});

it('refuses what has a time that has passed since, and sends it with a new one', async () => {
	const at = (hours: number) => ({
		scheduleAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
	});
	const failed = await fail('sendSms', { parameters: at(1) });
	const first = gateway.sandbox.accepted();
	const late = await gateway.retry(failed, 'sendSms', {
		parameters: at(-1),
		currentWorkflow: true,
	});
	expect(late.error?.message).toContain("'Schedule At' is in the past");
	expect(late.error?.description).toContain('with the currently saved workflow');
	expect(gateway.sandbox.accepted()).toEqual(first);
	const run = await gateway.retry(late, 'sendSms', { parameters: at(2), currentWorkflow: true });
	expect(run.error).toBeUndefined();
	expect(acceptedTimes()).toEqual(once);
});

it('the record of a run contains only the message ID of a very long answer', async () => {
	const body = [{ success: true, messageId: 'm-1', status: 'pending', note: 'x'.repeat(30_000) }];
	gateway.sandbox.fault({ to: items[0]!.to, fault: { status: 200, body } });
	const failed = await fail('sendSms');
	expect(JSON.stringify(journalOf(failed)).length).toBeLessThan(20_000);
	const run = await gateway.retry(failed, 'sendSms');
	expect(jsonOf(run)[0]).toEqual({ messageId: 'm-1' });
});

it('a retry without a record sends nothing whose keys were of the execution: it has others', async () => {
	const options = onceBy('={{ $execution.id }} {{ $json.to }}');
	const failed = await fail('sendSms', { options });
	failed.data.executionData!.contextData = {};
	const count = gateway.sandbox.requests().length;
	const { error } = await gateway.retry(failed, 'sendSms', { options });
	expect(error?.message).toMatch(/^The message may have been sent: n8n kept no record/);
	expect(error?.description).toContain('With a key that stays the same, such as an order number');
	expect(gateway.sandbox.requests()).toHaveLength(count);
});
