/** How often and when a request is tried again. `faults.test.ts` says which ones are. */
import { hurry, jsonOf, to, useGateway } from './support';

const gateway = useGateway();
hurry();
const busy = { tooMany: true, retryAfter: 0 } as const;

describe("'Max Retries'", () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
	afterEach(() => jest.restoreAllMocks());

	it('counts for each item', async () => {
		gateway.sandbox.fault({ times: 2, fault: busy });
		const items = [
			{ to, retries: 0 },
			{ to, retries: 2 },
		];
		const rules = { maxRetries: '={{ $json.retries }}' };
		const run = await gateway.run('sendSms', { items, rules, onError: 'continueRegularOutput' });
		expect(jsonOf(run)).toMatchObject([{ error: { httpCode: '429' } }, { to }]);
		expect(gateway.sandbox.requests()).toHaveLength(3);
	});
});

describe("'Timeout'", () => {
	it('is that of the item', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 300 } });
		const items = [
			{ to, timeout: 1_000 },
			{ to, timeout: 600_000 },
		];
		const rules = { timeout: '={{ $json.timeout }}' };
		const run = await gateway.run('sendSms', { items, rules, onError: 'continueRegularOutput' });
		expect(jsonOf(run)).toMatchObject([{ error: { outcome: 'unknown' } }, { to }]);
	});
});
