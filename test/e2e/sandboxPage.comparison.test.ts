/** The demo's two workflows that send the same list, under the faults of the page of messages. */
import type { HostClient } from '../../tools/host';
import { importComparison } from '../../tools/host/demo/comparison';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';

describe('twenty reminders, and the same with HTTP Request', () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let ids: { own: string; http: string };

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox();
		const credential = await client.createCredential(sandbox.credential);
		ids = await importComparison(client, credential, sandbox.url);
	});
	afterAll(async () => await sandbox?.close());

	/** Runs it while one answer is lost, and presses Retry. */
	async function lossAndRetry(workflowId: string): Promise<string> {
		sandbox.nextMessage = 'lost';
		const { id, status, error } = await client.waitForExecution(await client.run(workflowId));
		expect(status).toBe('error');
		await client.waitForExecution(await client.retry(id));
		return error?.message ?? '';
	}

	it('arrive once, and with HTTP Request twice, after a lost answer and Retry', async () => {
		expect(await lossAndRetry(ids.own)).toContain('may have been sent');
		await lossAndRetry(ids.http);
		expect(sandbox.overview().totals).toMatchObject({
			'': { accepted: 20, twice: 0 },
			'HTTP Request': { accepted: 40, twice: 20 },
		});
	});

	it('arrive once, if the workflow runs again', async () => {
		await client.waitForExecution(await client.run(ids.own));
		expect(sandbox.overview().totals['']).toMatchObject({ accepted: 20, twice: 0 });
	});
});
