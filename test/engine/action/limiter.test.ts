/** A service that takes fewer requests than there are items. */
import { jsonOf, mostAtOnce, numbers, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const accepted = () => gateway.sandbox.accepted().length;
const count = () => gateway.sandbox.requests().length;

// What an account's limit does, with the rules as they come: not the `maxRetries: 0` of these tests.
const rules = { maxRetries: 3 };

describe('a limit per second', () => {
	it('delays messages, and loses or repeats none', async () => {
		gateway.sandbox.fault({ perSecond: 8, fault: { tooMany: true } });
		const items = numbers(20);
		const run = await gateway.run('sendSms', { items, rules });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toMatchObject(items);
		for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
		expect(count()).toBeLessThanOrEqual(2 * items.length);
	});
});

describe('a service that wants to be left alone for more than a minute', () => {
	const items = numbers(30);
	beforeEach(() => gateway.sandbox.fault({ skip: 5, fault: { tooMany: true, retryAfter: 600 } }));

	it('ends the run, and the error says for how long', async () => {
		const { error } = await gateway.run('sendSms', { items, rules });
		expect(error?.message).toMatch(/too many requests/);
		expect(error?.description).toContain('10 minutes');
		expect(error?.description).toContain('5 of 30 items were sent');
		expect(accepted()).toBe(5);
		expect(count()).toBeLessThanOrEqual(15); // those under way when it said so
	});
});

describe('executions of one account', () => {
	const run = async (action: ActionOptions) =>
		await gateway.run('sendSms', { items: numbers(1), ...action });

	it('share Max Concurrency, which holds for the lists of both', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 20 } });
		const two = { items: numbers(8), rules: { maxConcurrency: 2 } };
		await Promise.all([run(two), run(two), run(two)]);
		expect(count()).toBe(24);
		expect(mostAtOnce(gateway.sandbox.requests())).toBe(2);
	});

	it('share a pause of more than a minute, Retry On Fail included', async () => {
		gateway.sandbox.fault({ times: 1, fault: { tooMany: true, retryAfter: 3600 } });
		const first = await run({ rules, retryOnFail: true });
		const second = await run({});
		for (const { error } of [first, second]) {
			expect(error?.message).toMatch(/too many requests/);
			expect(error?.description).toContain('60 minutes');
		}
		expect(count()).toBe(1);
	});
});
