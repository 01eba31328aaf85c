/** Rules of an item's own account. Which answers are tried again, and when: unit/service. */
import { hurry, jsonOf, to, useGateway } from './support';

const gateway = useGateway();
hurry();
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

it.each([
	['maxRetries', [0, 2], { times: 2, fault: { tooMany: true, retryAfter: 0 } }, 3, 'refused'],
	['timeout', [1_000, 600_000], { fault: { delayMs: 300 } }, 2, 'unknown'],
] as const)('%s is that of the item', async (rule, values, fault, requests, outcome) => {
	gateway.sandbox.fault(fault);
	const items = values.map((value) => ({ to, value }));
	const rules = { [rule]: '={{ $json.value }}' };
	const run = await gateway.run('sendSms', { items, rules, onError: 'continueRegularOutput' });
	expect(jsonOf(run)).toMatchObject([{ error: { outcome } }, { to }]);
	expect(gateway.sandbox.requests()).toHaveLength(requests);
});
