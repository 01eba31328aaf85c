/** A worker dies while it sends a list. `N8N_FOLDER` tests another n8n than the pinned one. */
import { fetchOnce } from '../../../tools/host';
import { chosen } from '../../../tools/host/paths';
import { startQueueMode, type QueueMode } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { chain, gateway, items, startedByPost } from '../../../tools/shared/workflows';
import { describeInQueueMode } from '../../e2e/queueMode/describe';
import { Account } from '../../e2e/trigger/account';

describeInQueueMode('a worker', () => {
	let n8n: QueueMode;
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode({ n8n: chosen });
		account = await Account.open(n8n.main.client);
	});
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	it('that is killed: without keys, neither n8n nor its Retry sends anything again', async () => {
		const { client } = n8n.main;
		const { sandbox, credential } = account;
		const rows = Array.from({ length: 20 }, (_, index) => ({ to: String(5511900100000 + index) }));
		sandbox.fault({ skip: 10, times: 10, fault: { delayMs: 3_600_000 } });
		const send = gateway(credential, 'message', 'sendSms', {
			to: '={{ $json.to }}',
			text: 'Hello',
		});
		const list = chain('List', ...items(...rows), send);
		const workflow = await client.createWorkflow(startedByPost('list', 'onReceived', list));
		expect((await client.activate(workflow)).status).toBe('published');
		await fetchOnce(`${n8n.webhooks[0]!.url}/webhook/list`, { method: 'POST' });
		await until('all are on their way', () => sandbox.requests().length === rows.length);
		const [{ id } = { id: '' }] = await client.executions(workflow);
		const isIts = `started execution ${id} `;
		await n8n.workers.find((each) => each.logs().includes(isIts))!.kill();

		const ended = await client.waitForExecution(id); // the other worker could have run it again
		expect(sandbox.requests()).toHaveLength(rows.length);
		expect(ended.status).toBe('error');
		const retried = await client.waitForExecution(await client.retry(id));
		expect(sandbox.requests()).toHaveLength(rows.length);
		expect(retried.status).toBe('error');
	});
});
