/**
 * The main process publishes, a webhook process and the main process take deliveries and answers, a
 * worker executes, each started once: that takes most of the time. Several workers and webhook processes,
 * and what survives a kill in the middle of all this, are in test/nightly/queueMode.
 */
import { outputOf, type WorkflowJson } from '../../tools/host';
import { startQueueMode, type QueueMode } from '../../tools/host/queue';
import { testEnvironment } from './environment';
import { documentedTools, publishServer } from './mcp/server';
import { McpSession } from './mcp/session';
import { describeInQueueMode } from './queueMode/describe';
import { keyStores, publishKeyStore } from './queueMode/keyStores';
import { onlyExecution, postTo, publishIn } from './queueMode/workflows';
import { Account } from './trigger/account';
import { TriggerWorkflow } from './trigger/triggerWorkflow';
import { answer, ask, cameOut, linksTo, reply, yesOrNo } from './wait/question';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items, startedByPost } from '../../tools/shared/workflows';

describeInQueueMode('several processes', () => {
	let n8n: QueueMode;
	/** Of the processes that take deliveries. */
	let urls: [webhook: string, main: string];
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode({ workers: 1, env: testEnvironment });
		urls = [n8n.webhooks[0]!.url, n8n.main.url];
		account = await Account.open(n8n.main.client);
	});
	beforeEach(() => account.sandbox.reset());
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	const publish = async (workflow: WorkflowJson) => await publishIn(n8n.main.client, workflow);
	const post = async (path: string, body?: object) => await postTo(urls[0], path, body);
	const executionOf = async (workflowId: string) =>
		await onlyExecution(n8n.main.client, workflowId);
	const workerOf = (executionId: string) =>
		n8n.workers.find((worker) => worker.logs().includes(`started execution ${executionId} `));

	it('the trigger keeps its state across the processes', async () => {
		const workflow = await TriggerWorkflow.create(n8n.main, account);
		await workflow.publish();
		expect(account.calls()).toBe('GET, POST on: production');
		const { secret, url } = account;
		const [first, second] = urls;
		expect(url.startsWith(`${first}/webhook/`)).toBe(true);

		// Each process derives the secret by itself.
		const urlOfSecond = url.replace(first, second);
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
		for (const each of [n8n.main, ...n8n.webhooks, ...n8n.workers]) {
			expect(each.logs().includes(secret)).toBe(false);
		}
	});

	it('a deduplication key that a worker has used holds in the main process, and back', async () => {
		const { client } = n8n.main;
		const { sandbox } = account;
		const send = gateway(account.credential, 'message', 'sendSms', {
			to: '5511912345678',
			text: 'Your order is on its way',
			options: onceBy('order-1'),
		});
		const id = await publish(startedByPost('orders', 'lastNode', chain('Orders', send)));
		const order = async () => (await (await post('orders')).json()) as object;

		expect(await order()).toMatchObject({ status: expect.any(String), to: '5511912345678' });
		const byHand = await client.waitForExecution(await client.run(id));
		expect(outputOf(byHand, 'Gateway')[0]?.json).toMatchObject({ skipped: true });
		expect(workerOf(byHand.id)).toBeUndefined();
		expect(await order()).toMatchObject({ skipped: true, deduplicationKey: 'order-1' });
		expect(sandbox.accepted()).toHaveLength(1);
		await client.deactivate(id);
	});

	it('of two orders at the same moment, one is sent', async () => {
		const [keyStore] = keyStores;
		const { type } = keyStore;
		const { client } = n8n.main;
		const { rules } = await publishKeyStore(client, keyStore, n8n.credentials[type]);
		const credential = await account.credentialWith(rules);
		const to = '={{ $json.body.to }}';
		const parameters = { to, text: 'Hello', options: onceBy(to) };
		const send = gateway(credential, 'message', 'sendSms', parameters);
		await publish(startedByPost(`once-${type}`, 'lastNode', chain('Once', send)));
		const numbers = Array.from({ length: 5 }, (_, index) => String(5511900100000 + index));
		const order = async (to: string) => await (await post(`once-${type}`, { to })).text();
		const answers = await Promise.all([...numbers, ...numbers].map(order));
		expect(answers.filter((text) => text.includes('"messageId"'))).toHaveLength(numbers.length);
		for (const to of numbers) {
			expect(await order(to)).toContain('"skipped":true');
			expect(account.sandbox.timesAccepted({ to })).toBe(1);
		}
	});

	it('a worker asks, any process takes the answer, and a worker goes on', async () => {
		const { sandbox, credential } = account;
		const to = '5511900100001';
		const question = ask(credential, { to, ...yesOrNo });
		const workflow = chain('Ask', question, reply(credential, to));
		const id = await publish(startedByPost('ask', 'onReceived', workflow));
		await post('ask');
		const execution = await executionOf(id);
		await n8n.main.client.untilItWaits(execution);
		const [link = ''] = linksTo(sandbox, to);
		const [first, second] = urls;
		expect(link.startsWith(`${first}/webhook-waiting/`)).toBe(true);
		const page = await answer(link.replace(first, second), 'approve');
		expect(page.html).toContain('Thank you');
		expect((await n8n.main.client.waitForExecution(execution)).status).toBe('success');
		expect(cameOut(sandbox, to)).toMatchObject([{ data: { approved: true }, sent: { to } }]);
		const starts = n8n.workers
			.flatMap((worker) => worker.logs().split('\n'))
			.filter((line) => line.includes(`started execution ${execution} `));
		expect(starts).toHaveLength(2); // for the question, and for what comes after
	});

	it('an agent over MCP: a worker runs the tool, and the main process answers', async () => {
		const { sandbox, credential } = account;
		const { url, client } = n8n.main;
		const token = 'mcp-bearer-token-5d1f';
		const bearer = await client.createCredential({ token }, 'httpBearerAuth');
		const { path } = await publishServer(client, documentedTools, credential, bearer);
		const agent = await McpSession.connect(`${url}${path}`, token);
		const hello = { To: '+55 11 91234-5678', Text: 'Hello Ana' };
		const sent = await agent.call('Send_SMS', hello);
		expect(JSON.parse(sent.text)).toMatchObject([{ to: '5511912345678' }]);
		const wrong = await agent.call('Send_SMS', { ...hello, To: 'Ana' });
		expect(wrong).toMatchObject({
			isError: true,
			text: expect.stringContaining("'Ana'. Enter one"),
		});
		expect(sandbox.requests()).toHaveLength(1);

		sandbox.fault({ operation: 'sendSms', fault: { status: 502, accept: true } });
		const unknown = await agent.call('Send_SMS', hello);
		expect(unknown.isError).toBe(true);
		expect(unknown.text).toContain('treat it as sent until you know that it was not');
		expect(unknown.text).not.toMatch(/again|retry|later/i);
		expect(sandbox.requests()).toHaveLength(2);
		sandbox.clearFaults();

		const order = { ...hello, Order_Number: '1042' };
		await agent.call('Tell_That_Order_Was_Shipped', order);
		const again = await agent.call('Tell_That_Order_Was_Shipped', order);
		expect(again.text).toContain('"skipped":true');
		expect(sandbox.requests()).toHaveLength(3);
		await agent.close();
	});

	it('Retry goes on, on a worker that knows nothing of it, where one stopped', async () => {
		const { sandbox } = account;
		const credential = await account.credentialWith({ maxConcurrency: 1 });
		const { client } = n8n.main;
		const rows = Array.from({ length: 20 }, (_, index) => ({ to: String(5511900100000 + index) }));
		sandbox.fault({ to: rows[10]!.to, times: 1, fault: { status: 400 } });
		const parameters = { to: '={{ $json.to }}', text: 'Hello' };
		const send = gateway(credential, 'message', 'sendSms', parameters);
		const list = chain('List', ...items(...rows), send);
		const id = await publish(startedByPost('list', 'onReceived', list));
		await post('list');
		const execution = await executionOf(id);
		expect((await client.waitForExecution(execution)).status).toBe('error');
		const before = sandbox.accepted();
		expect(before).toHaveLength(10);

		const [worker] = n8n.workers;
		await worker!.kill();
		await worker!.restart();
		const retried = await client.waitForExecution(await client.retry(execution));
		expect(retried.status).toBe('success');
		expect(workerOf(retried.id)).toBeDefined();
		expect(rows.map(({ to }) => sandbox.timesAccepted({ to }))).toEqual(rows.map(() => 1));
		const output = outputOf(retried, 'Gateway').map(({ json }) => json);
		expect(output).toMatchObject(rows);
		expect(output.slice(0, 10)).toMatchObject(before.map(({ messageId }) => ({ messageId })));
	});
});
