/** A service that takes fewer requests than there are items. */
import { mostAtOnce, numbers, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const count = () => gateway.sandbox.requests().length;

// What an account's limit does, with the rules as they come: not the `maxRetries: 0` of these tests.
const rules = { maxRetries: 3 };

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
