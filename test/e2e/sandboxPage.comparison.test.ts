/** The demo's two workflows that send the same list, under the faults of the page of messages. */
import { importComparison } from '../../tools/host/demo/comparison';
import { useHost } from './sharedHost';

describe('twenty reminders, and the same with HTTP Request', () => {
	const host = useHost();
	let ids: { own: string; http: string };
	beforeAll(async () => {
		ids = await importComparison(host.client, host.credential, host.sandbox.url);
	});

	/** Runs it while one answer is lost, and presses Retry. */
	async function lossAndRetry(workflowId: string): Promise<string> {
		host.sandbox.nextMessage = 'lost';
		const { id, status, error } = await host.client.waitForExecution(
			await host.client.run(workflowId),
		);
		expect(status).toBe('error');
		await host.client.waitForExecution(await host.client.retry(id));
		return error?.message ?? '';
	}

	it('arrive once, and with HTTP Request twice, after a lost answer and Retry', async () => {
		expect(await lossAndRetry(ids.own)).toContain('may have been sent');
		await lossAndRetry(ids.http);
		expect(host.sandbox.overview().totals).toMatchObject({
			'': { planned: 20, arrived: 20, twice: 0 },
			'HTTP Request': { planned: 20, arrived: 20, twice: 20 },
		});
		await host.client.waitForExecution(await host.client.run(ids.own)); // again
		expect(host.sandbox.overview().totals['']).toMatchObject({ arrived: 20, twice: 0 });
	});
});
