/** n8n's Retry of a failed execution, on another worker. */
import { fetchOnce, outputOf } from '../../../host';
import { startQueueMode, type QueueMode } from '../../../host/queue';
import { until } from '../../../host/until';
import { Account } from '../trigger/account';
import { chain, gateway, items, startedByPost } from '../../../testing/workflows';
import { describeInQueueMode } from './describe';

const rows = Array.from({ length: 20 }, (_, index) => ({ to: String(5511900000000 + index) }));

describeInQueueMode('Retry', () => {
	let n8n: QueueMode;
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode();
		account = await Account.open(n8n.main.client);
	});
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	it('goes on where another worker stopped', async () => {
		const { sandbox, credential } = account;
		const { client } = n8n.main;
		sandbox.fault({ to: rows[10]!.to, times: 1, fault: { status: 400 } });
		const options = { maxConcurrency: 1 };
		const parameters = { to: '={{ $json.to }}', text: 'Hello', options };
		const send = gateway(credential, 'message', 'sendSms', parameters);
		const list = chain('List', ...items(...rows), send);
		const id = await client.createWorkflow(startedByPost('list', 'onReceived', list));
		expect((await client.activate(id)).status).toBe('published');

		const [first, second] = n8n.workers;
		await second!.kill();
		await fetchOnce(`${n8n.webhooks[0]!.url}/webhook/list`, { method: 'POST' });
		await until('it is there', async () => (await client.executions(id)).length === 1);
		const [{ id: execution } = { id: '' }] = await client.executions(id);
		expect((await client.waitForExecution(execution)).status).toBe('error');
		const before = sandbox.accepted();
		expect(before).toHaveLength(10);

		await first!.kill();
		await second!.restart();
		const retried = await client.waitForExecution(await client.retry(execution));
		expect(retried.status).toBe('success');
		expect(rows.map(({ to }) => sandbox.timesAccepted({ to }))).toEqual(rows.map(() => 1));
		const output = outputOf(retried, 'Gateway').map(({ json }) => json);
		expect(output).toMatchObject(rows);
		expect(output.slice(0, 10)).toMatchObject(before.map(({ messageId }) => ({ messageId })));
	});
});
