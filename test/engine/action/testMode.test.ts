/** The credential's test mode: everything that sends is a dry run. */
import { deduplication } from '../harness';
import { hintsOf, jsonOf, numbers, operationIds, sends, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const testMode = { testMode: true };
const items = numbers(3);
const keyed = { deduplication: { values: { key: '={{ $json.to }}' } } };

describe.each(sends)('%s', (id) => {
	it('shows what it would send, and that it is a test', async () => {
		const run = await gateway.run(id, { items, credential: testMode, options: keyed });
		expect(jsonOf(run)).toMatchObject(
			items.map((item) => ({ ...item, dryRun: true, wouldSend: true, testMode: true })),
		);
		expect(gateway.sandbox.requests()).toEqual([]);
		await gateway.run(id, { items, options: keyed });
		const sentTo = gateway.sandbox.accepted().map(({ to: number }) => number);
		expect(sentTo.sort()).toEqual(items.map((item) => item.to)); // no key was used up
	});
});

test.each([
	[1, '1 of 1 would be sent (1 SMS segment)'],
	[3, '3 of 3 would be sent (3 SMS segments)'],
])('of %d, the hint names the credential that it is on in', async (count, said) => {
	const run = await gateway.run('sendSms', { items: numbers(count), credential: testMode });
	const message = `Test Mode is on in the credential 'Account': nothing was sent. ${said}.`;
	expect(hintsOf(run)).toEqual([{ message, type: 'info', location: 'outputPane' }]);
});

test.each(operationIds.filter((id) => !sends.some((send) => send === id)))(
	'%s reaches nobody, so it works as ever',
	async (id) => {
		await gateway.run(id);
		const requests = gateway.sandbox.requests().map(({ path }) => path);
		gateway.sandbox.reset();
		const run = await gateway.run(id, { credential: testMode });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)[0]).not.toHaveProperty('testMode');
		expect(gateway.sandbox.requests().map(({ path }) => path)).toEqual(requests);
	},
);

test('it is no test where the list of a real run goes on: nothing is sent again', async () => {
	const list = items.slice(0, 2);
	gateway.sandbox.fault({ skip: 1, times: 1, fault: { status: 400 } });
	const oneByOne = { maxConcurrency: 1 };
	const failed = await gateway.run('sendSms', { items: list, credential: oneByOne });
	expect(failed.error?.message).toBeDefined();
	const tried = gateway.sandbox.requests().length;
	const retried = await gateway.retry(failed, 'sendSms', { credential: testMode });
	expect(jsonOf(retried)).toMatchObject(list.map(() => testMode));
	expect(gateway.sandbox.requests()).toHaveLength(tried);
});
