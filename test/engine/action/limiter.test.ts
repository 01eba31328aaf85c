/** What executions of one account share. */
import { mostAtOnce, numbers, useGateway } from './support';

const gateway = useGateway();

it('executions of one account share Max Concurrency, which holds for the lists of all', async () => {
	gateway.sandbox.fault({ fault: { delayMs: 20 } });
	const action = { items: numbers(8), rules: { maxConcurrency: 2 } };
	await Promise.all([1, 2, 3].map(async () => await gateway.run('sendSms', action)));
	const requests = gateway.sandbox.requests();
	expect(requests).toHaveLength(24);
	expect(mostAtOnce(requests)).toBe(2);
});
