/** Stop ends every wait, and no request follows it. Jest's time limit is the clock. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { deduplication } from '../harness';
import { logs } from '../harness/instance';
import { moment, numbers, operationIds, until, useGateway } from './support';

const gateway = useGateway();
const count = () => gateway.sandbox.requests().length;

describe('cancelling', () => {
	it.each(operationIds)('%s ends its wait after a 429', async (id) => {
		gateway.sandbox.fault({ fault: { tooMany: true, retryAfter: 60 } });
		const execution = await gateway.start(id, { items: numbers(3), options: { maxRetries: 5 } });
		await until(
			() => gateway.sandbox.requests().filter(({ status }) => status === 429).length === 3,
		);
		await new Promise((resolve) => setTimeout(resolve, 20)); // the answers arrive
		execution.cancel();
		expect((await execution.finished).status).toBe('canceled');
		await moment();
		expect(count()).toBe(3);
	});

	it('ends the wait of Requests per Second', async () => {
		const options = { requestsPerSecond: 0.01 };
		const execution = await gateway.start('sendSms', { items: numbers(5), options });
		await until(() => count() === 1);
		execution.cancel();
		await execution.finished;
		await moment();
		expect(count()).toBe(1);
	});

	it('logs which messages were accepted, and which may have been', async () => {
		gateway.sandbox.fault({ skip: 2, fault: { delayMs: 3_600_000 } });
		const options = { timeout: 3_600_000, maxConcurrency: 1 };
		const execution = await gateway.start('sendSms', { items: numbers(5), options });
		await until(() => count() === 3);
		execution.cancel();
		await execution.finished;
		const [{ messageId } = {}] = gateway.sandbox.accepted(numbers(1)[0]!);
		const isLogged = () =>
			logs.some(
				(line) =>
					line.includes('was stopped: 2 of 5 items were sent, 1 may have been sent, 2 were not ') &&
					line.includes(`item 2: in doubt (${numbers(3)[2]!.to}), item 0: ${messageId}, item 1: `),
			);
		await until(isLogged); // requests under way end after n8n has saved the execution
	});

	it('is no failure, even if an item had failed before', async () => {
		gateway.sandbox.fault({ to: numbers(1)[0]!.to, fault: { status: 400 } });
		gateway.sandbox.fault({ fault: { delayMs: 3_600_000 } });
		const options = { timeout: 3_600_000, maxConcurrency: 2 };
		const execution = await gateway.start('sendSms', { items: numbers(5), options });
		await until(() => gateway.sandbox.requests().some(({ status }) => status === 400));
		await until(() => count() === 2);
		await new Promise((resolve) => setTimeout(resolve, 20)); // the answer arrives
		execution.cancel();
		const { status, error } = await execution.finished;
		expect(status).toBe('canceled'); // 'error' would start the error workflow
		expect(error?.message).toBe(
			'The execution was canceled: 0 of 5 items were sent, 1 may have been sent, 1 failed, 3 were not tried.',
		);
		expect(error?.description).toMatch(/sends that one again\. Use Retry .* Item 0: .* Item 1: /);
	});

	it('does not wait for the store of keys, which are free again', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 3_600_000 } });
		const deduplicationKey = '={{ $json.to }}';
		const options = { timeout: 3_600_000, maxConcurrency: 1, deduplicationKey };
		const execution = await gateway.start('sendSms', { items: numbers(5), options });
		await until(() => count() === 1);
		let store = () => {};
		const stored = new Promise<void>((resolve) => (store = resolve));
		const { removeProcessed } = deduplication;
		const removing = jest.spyOn(deduplication, 'removeProcessed');
		removing.mockImplementation(async (...removed) => {
			await stored;
			return await removeProcessed.apply(deduplication, removed);
		});
		execution.cancel();
		expect((await execution.finished).status).toBe('canceled');
		await until(() => removing.mock.calls.length > 0);
		removing.mockRestore();
		store();
		gateway.sandbox.clearFaults();
		const again = await gateway.run('sendSms', { items: numbers(5), options });
		expect(again.error?.message).toMatch(/^The message may have been sent/);
		expect(again.error?.description).toContain('4 of 5 items were sent');
	});

	it('does not wait for an answer, and is not reported as a fault of the service', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 3_600_000 } });
		const execution = await gateway.start('sendSms', { options: { timeout: 3_600_000 } });
		await until(() => count() === 1);
		execution.cancel();
		const { data, status } = await execution.finished;
		expect(status).toBe('canceled');
		const journal = Object.values(data.executionData!.contextData)[0]!.journal;
		await until(() => JSON.stringify(journal).includes('was stopped before'));
		expect(JSON.stringify(journal)).toContain(
			'The message may have been sent: the execution was stopped before the service answered',
		);
		expect(count()).toBe(1);
	});
});

describe('cancelling with 1,000 sends pending', () => {
	// A separate one, since requests may arrive after the test.
	const busy = useGateway();

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'starts no other, %s',
		async (onError) => {
			let left = 0;
			const onRequest = () => void left++;
			subscribe('http.client.request.start', onRequest);
			busy.sandbox.fault({ fault: { delayMs: 20 } });
			const execution = await busy.start('sendSms', { items: numbers(1000), onError });
			await until(() => left >= 50);
			execution.cancel();
			const leftBefore = left;
			await execution.finished;
			await moment();
			unsubscribe('http.client.request.start', onRequest);
			expect(left).toBe(leftBefore);
			expect(left).toBeLessThan(1000);
		},
	);
});
