/** n8n's 'Retry On Fail' runs the whole node again, with all items; nothing may be sent twice. */
import type { Fault } from '../../../tools/sandbox';
import { onceBy } from '../../../tools/shared/deduplication';
import { jsonOf, numbers, sends, useGateway } from './support';

const gateway = useGateway();

const setting = { retryOnFail: true };
const items = numbers(6);

describe.each(sends)('%s', (id) => {
	it('goes on where it stopped', async () => {
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

	it.each<Fault>([{ status: 502 }, { reset: 'afterAccept' }])(
		'does not repeat a message that may have been sent: %j',
		async (fault) => {
			gateway.sandbox.fault({ to: items[0]!.to, times: 1, fault });
			const { error } = await gateway.run(id, { items, ...setting });
			expect(error?.message).toMatch(/^The message may have been sent/);
			// The rest has been sent by the later tries.
			expect(error?.description).toMatch(
				/^5 of 6 items were sent \(by an earlier try\), 1 may have been sent\./,
			);
			for (const { messageId, to } of gateway.sandbox.accepted()) {
				expect(gateway.sandbox.timesAccepted({ to })).toBe(1);
				if (to !== items[0]!.to) expect(JSON.stringify(error?.context)).toContain(messageId);
			}
			expect(gateway.sandbox.requests().filter(({ body }) => has(body, items[0]!.to))).toHaveLength(
				1,
			);
		},
	);
});

it('is not begun by a service that says of what it accepted that there was no error', async () => {
	const body = [{ success: true, messageId: 'm-1', status: 'pending', error: '' }];
	gateway.sandbox.fault({ to: items[0]!.to, fault: { status: 200, body, accept: true } as never });
	const run = await gateway.run('sendSms', { items, ...setting });
	expect(jsonOf(run)).toMatchObject(items);
	expect(gateway.sandbox.requests()).toHaveLength(items.length);
});

const has = (body: unknown, to: string) => JSON.stringify(body).includes(to);

it('works with Continue, where n8n tries again only because of the first item', async () => {
	gateway.sandbox.fault({ to: items[0]!.to, times: 1, fault: { status: 400 } });
	const onError = 'continueRegularOutput';
	const run = await gateway.run('sendSms', { items, onError, ...setting });
	expect(jsonOf(run)).toMatchObject(items);
	for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
});

it('lists in the error of the last try, once, what was accepted in any try', async () => {
	gateway.sandbox.fault({ to: items[0]!.to, skip: 0, fault: { status: 400 } });
	const rules = { maxConcurrency: 2 };
	const { error } = await gateway.run('sendSms', { items, rules, ...setting });
	for (const { messageId } of gateway.sandbox.accepted()) {
		expect(JSON.stringify(error!.context.data).split(messageId)).toHaveLength(2);
	}
	expect(gateway.sandbox.accepted().length).toBeGreaterThan(0);
});

it('outputs the answers of the first try with a deduplication key, not that they were skipped', async () => {
	gateway.sandbox.fault({ to: items[5]!.to, times: 1, fault: { status: 400 } });
	const options = onceBy('={{ $execution.id }} {{ $json.to }}');
	const run = await gateway.run('sendSms', { items, options, ...setting });
	expect(jsonOf(run)).toMatchObject(items.map(() => ({ messageId: expect.any(String) })));
});
