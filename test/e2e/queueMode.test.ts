/** The main process publishes, a webhook process takes deliveries, a worker executes. */
import { fetchOnce, outputOf } from '../../host';
import { startQueueMode, type QueueMode, type QueueProcess } from '../../host/queue';
import { describeInQueueMode } from './queueMode/describe';
import { Account } from './trigger/account';
import { TriggerWorkflow } from './trigger/triggerWorkflow';
import { chain, gateway, node } from './workflows';

jest.setTimeout(300_000);

describeInQueueMode('several processes', () => {
	let n8n: QueueMode;
	let webhook: QueueProcess;
	let worker: QueueProcess;
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode({ workers: 1 });
		[webhook, worker] = [n8n.webhooks[0]!, n8n.workers[0]!];
		account = await Account.open(n8n.main.client);
	});
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	it('the trigger keeps its state across the processes', async () => {
		const workflow = await TriggerWorkflow.create(n8n.main, account);
		await workflow.publish();
		expect(account.calls()).toBe('GET, POST on: production');
		const { secret, url } = account;
		expect(url.startsWith(`${webhook.url}/webhook/`)).toBe(true);

		// The webhook process derives the secret by itself.
		const forged = url.replace(secret, '0'.repeat(43));
		expect((await account.deliver({ messageId: 'forged' }, forged)).status).toBe(401);
		const genuine = await account.deliver({ messageId: 'm-1' });
		expect(genuine).toMatchObject({ status: 200, body: '' });
		const execution = await workflow.newestOf(1);
		expect(outputOf(execution, 'Trigger')[0]?.json).toMatchObject({ messageId: 'm-1' });
		expect(worker.logs()).toContain(`Worker started execution ${execution.id}`);

		await workflow.save({ name: 'Renamed' });
		await workflow.publish();
		expect(account.calls()).toBe('GET, POST off: production, GET, POST on: production');
		expect(account.url).toBe(url);
		expect((await account.deliver({ messageId: 'm-2' })).status).toBe(200);
		const second = await workflow.newestOf(2);
		expect(outputOf(second, 'Renamed')[0]?.json).toMatchObject({ messageId: 'm-2' });

		await workflow.unpublish();
		expect(account.calls()).toBe('GET, POST off: production');
		expect(account.left()).toBe('production, off');
		for (const log of [n8n.main.logs(), webhook.logs(), worker.logs()]) {
			expect(log.includes(secret)).toBe(false);
		}
	});

	it('a deduplication key that a worker has used holds in the main process, and back', async () => {
		const { client } = n8n.main;
		const { sandbox } = account;
		const send = gateway(account.credential, 'message', 'sendSms', {
			to: '5511912345678',
			text: 'Your order is on its way',
			options: { deduplicationKey: 'order-1' },
		});
		const workflow = chain('Orders', send);
		const trigger = node(
			'Order',
			'n8n-nodes-base.webhook',
			{ path: 'orders', httpMethod: 'POST', responseMode: 'lastNode' },
			{ typeVersion: 2, webhookId: 'orders' },
		);
		workflow.nodes.push({ ...trigger, id: 'order', position: [0, 200] });
		workflow.connections.Order = workflow.connections.Start!;
		const id = await client.createWorkflow(workflow);
		expect((await client.activate(id)).status).toBe('published');
		const order = async () => {
			const response = await fetchOnce(`${webhook.url}/webhook/orders`, { method: 'POST' });
			return (await response.json()) as object;
		};

		expect(await order()).toMatchObject({ status: expect.any(String), to: '5511912345678' });
		const byHand = await client.waitForExecution(await client.run(id));
		expect(outputOf(byHand, 'Gateway')[0]?.json).toMatchObject({ skipped: true });
		expect(worker.logs()).not.toContain(`Worker started execution ${byHand.id}`);
		expect(await order()).toMatchObject({ skipped: true, deduplicationKey: 'order-1' });
		expect(sandbox.accepted()).toHaveLength(1);
		await client.deactivate(id);
	});
});
