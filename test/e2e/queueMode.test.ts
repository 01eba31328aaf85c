/** The main process publishes, two webhook processes take deliveries, two workers execute. */
import { fetchOnce, outputOf } from '../../host';
import { startQueueMode, type QueueMode, type QueueProcess } from '../../host/queue';
import { until } from '../../host/until';
import { describeInQueueMode } from './queueMode/describe';
import { Account } from './trigger/account';
import { TriggerWorkflow } from './trigger/triggerWorkflow';
import { chain, gateway, items, startedByPost } from '../../testing/workflows';

describeInQueueMode('several processes', () => {
	let n8n: QueueMode;
	let webhooks: [QueueProcess, QueueProcess];
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode({ webhooks: 2 });
		webhooks = n8n.webhooks as typeof webhooks;
		account = await Account.open(n8n.main.client);
	});
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	const workerOf = (executionId: string) =>
		n8n.workers.find((worker) => worker.logs().includes(`started execution ${executionId} `));

	it('the trigger keeps its state across the processes', async () => {
		const workflow = await TriggerWorkflow.create(n8n.main, account);
		await workflow.publish();
		expect(account.calls()).toBe('GET, POST on: production');
		const { secret, url } = account;
		expect(url.startsWith(`${webhooks[0].url}/webhook/`)).toBe(true);

		// Each webhook process derives the secret by itself.
		const [first, second] = webhooks;
		const urlOfSecond = url.replace(first.url, second.url);
		for (const [index, each] of [url, urlOfSecond].entries()) {
			const forged = each.replace(secret, '0'.repeat(43));
			expect((await account.deliver({ messageId: 'forged' }, forged)).status).toBe(401);
			const genuine = await account.deliver({ messageId: `m-${index}` }, each);
			expect(genuine).toMatchObject({ status: 200, body: '' });
			const execution = await workflow.newestOf(index + 1);
			expect(outputOf(execution, 'Trigger')[0]?.json).toMatchObject({ messageId: `m-${index}` });
			expect(workerOf(execution.id)).toBeDefined();
		}

		await workflow.save({ name: 'Renamed' });
		await workflow.publish();
		expect(account.calls()).toBe('GET, POST off: production, GET, POST on: production');
		expect(account.url).toBe(url);
		expect((await account.deliver({ messageId: 'm-2' }, urlOfSecond)).status).toBe(200);
		const renamed = await workflow.newestOf(3);
		expect(outputOf(renamed, 'Renamed')[0]?.json).toMatchObject({ messageId: 'm-2' });

		await workflow.unpublish();
		expect(account.calls()).toBe('GET, POST off: production');
		expect(account.left()).toBe('production, off');
		for (const each of [n8n.main, ...webhooks, ...n8n.workers]) {
			expect(each.logs().includes(secret)).toBe(false);
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
		const workflow = startedByPost('orders', 'lastNode', chain('Orders', send));
		const id = await client.createWorkflow(workflow);
		expect((await client.activate(id)).status).toBe('published');
		const order = async () => {
			const response = await fetchOnce(`${webhooks[0].url}/webhook/orders`, { method: 'POST' });
			return (await response.json()) as object;
		};

		expect(await order()).toMatchObject({ status: expect.any(String), to: '5511912345678' });
		const byHand = await client.waitForExecution(await client.run(id));
		expect(outputOf(byHand, 'Gateway')[0]?.json).toMatchObject({ skipped: true });
		expect(workerOf(byHand.id)).toBeUndefined();
		expect(await order()).toMatchObject({ skipped: true, deduplicationKey: 'order-1' });
		expect(sandbox.accepted()).toHaveLength(1);
		await client.deactivate(id);
	});

	it('a worker that stands still until n8n gives it up, and then goes on, sends nothing twice', async () => {
		const { client } = n8n.main;
		const { sandbox, credential } = account;
		const rows = Array.from({ length: 200 }, (_, index) => ({ to: String(5521900000000 + index) }));
		const parameters = {
			to: '={{ $json.to }}',
			text: 'We have moved',
			options: { deduplicationKey: '={{ $json.to }}' },
		};
		const goOn = { onError: 'continueRegularOutput' } as const;
		const send = gateway(credential, 'message', 'sendSms', parameters, goOn);
		const id = await client.createWorkflow(
			startedByPost('campaign', 'onReceived', chain('Campaign', ...items(...rows), send)),
		);
		expect((await client.activate(id)).status).toBe('published');
		const start = async () => {
			const earlier = (await client.executions(id)).length;
			await fetchOnce(`${webhooks[0].url}/webhook/campaign`, { method: 'POST' });
			const executions = await client.executions(id);
			expect(executions).toHaveLength(earlier + 1);
			return executions[0]!.id;
		};
		const sent = () => sandbox.accepted({ text: parameters.text }).length;
		sandbox.fault({ operation: 'sendSms', fault: { delayMs: 200 } });

		const first = await start();
		await until('a third is sent', () => sent() > rows.length / 3, { interval: 10 });
		const worker = workerOf(first)!;
		worker.pause();
		const givenUp = await client.waitForExecution(first);
		expect(givenUp.error?.message).toContain('failed to be processed too many times');
		const sentBefore = sent();
		expect(sentBefore).toBeLessThan(rows.length);
		worker.resume();
		await until('it has ended', () => worker.logs().includes(`finished execution ${first} `));
		expect(sent()).toBeGreaterThan(sentBefore);

		// What was on its way when the worker stood still has timed out: it may have been sent, or not.
		const again = await client.waitForExecution(await start());
		const said = outputOf(again, 'Gateway').map(({ json }) => JSON.stringify(json));
		const unanswered = said.filter((json) => json.includes('may have been sent'));
		const skipped = said.filter((json) => json.includes('"skipped":true'));
		expect(skipped.length + unanswered.length).toBe(rows.length);
		for (const [index, { to }] of rows.entries()) {
			const times = sandbox.timesAccepted({ to });
			expect(times).toBeLessThanOrEqual(1);
			if (times === 0) expect(said[index]).toContain('may have been sent');
		}
		await client.deactivate(id);
	});
});
