/**
 * The main process publishes, a webhook process and the main process take deliveries and answers, a
 * worker executes, each started once: that takes most of the time. Several workers and webhook processes,
 * and what survives a kill in the middle of all this, are in test/nightly/queueMode.
 */
import { outputOf } from '../../tools/host';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items, startedByPost } from '../../tools/shared/workflows';
import { testEnvironment } from './environment';
import { documentedTools, publishServer } from './mcp/server';
import { McpSession } from './mcp/session';
import { describeInQueueMode, useQueueMode } from './queueMode/describe';
import { numbered, smsToEach } from './support/workflows';
import { TriggerWorkflow } from './trigger/triggerWorkflow';
import { answer, ask, cameOut, linksTo, reply, yesOrNo } from './wait/question';

describeInQueueMode('several processes', () => {
	const n8n = useQueueMode({ workers: 1, env: testEnvironment });
	beforeEach(() => n8n.account.sandbox.reset());
	/** Of the processes that take deliveries. */
	let urls: [webhook: string, main: string];
	beforeAll(() => (urls = [n8n.webhooks[0]!.url, n8n.main.url]));

	it('the trigger keeps its state across the processes', async () => {
		const workflow = await TriggerWorkflow.create(n8n.main, n8n.account);
		await workflow.publish();
		expect(n8n.account.calls()).toBe('GET, POST on: production');
		const { secret, url } = n8n.account;
		const [first, second] = urls;
		expect(url.startsWith(`${first}/webhook/`)).toBe(true);

		// Each process derives the secret by itself.
		const urlOfSecond = url.replace(first, second);
		for (const [index, each] of [url, urlOfSecond].entries()) {
			const forged = each.replace(secret, '0'.repeat(43));
			expect((await n8n.account.deliver({ messageId: 'forged' }, forged)).status).toBe(401);
			const genuine = await n8n.account.deliver({ messageId: `m-${index}` }, each);
			expect(genuine).toMatchObject({ status: 200, body: '' });
			const execution = await workflow.newestOf(index + 1);
			expect(outputOf(execution, 'Trigger')[0]?.json).toMatchObject({ messageId: `m-${index}` });
			expect(n8n.workerOf(execution.id)).toBeDefined();
		}

		await workflow.save({ name: 'Renamed' });
		await workflow.publish();
		expect(n8n.account.calls()).toBe('GET, POST off: production, GET, POST on: production');
		expect(n8n.account.url).toBe(url);
		expect((await n8n.account.deliver({ messageId: 'm-2' }, urlOfSecond)).status).toBe(200);
		const renamed = await workflow.newestOf(3);
		expect(outputOf(renamed, 'Renamed')[0]?.json).toMatchObject({ messageId: 'm-2' });

		await workflow.unpublish();
		expect(n8n.account.calls()).toBe('GET, POST off: production');
		expect(n8n.account.left()).toBe('production, off');
		for (const each of [n8n.main, ...n8n.webhooks, ...n8n.workers]) {
			expect(each.logs().includes(secret)).toBe(false);
		}
	});

	it('a deduplication key that a worker has used holds in the main process, and back', async () => {
		const { client } = n8n.main;
		const send = gateway(n8n.account.credential, 'message', 'sendSms', {
			to: '+5511912345678',
			text: 'Your order is on its way',
			options: onceBy('order-1'),
		});
		const id = await client.publish(startedByPost('orders', 'lastNode', chain('Orders', send)));
		const order = async () => (await (await n8n.post('orders')).json()) as object;

		expect(await order()).toMatchObject({ status: expect.any(String), to: '+5511912345678' });
		const byHand = await client.waitForExecution(await client.run(id));
		expect(outputOf(byHand, 'Gateway')[0]?.json).toMatchObject({ skipped: true });
		expect(n8n.workerOf(byHand.id)).toBeUndefined();
		expect(await order()).toMatchObject({ skipped: true, deduplicationKey: 'order-1' });
		expect(n8n.account.sandbox.accepted()).toHaveLength(1);
	});

	it('a worker asks, any process takes the answer, and a worker goes on', async () => {
		const { client } = n8n.main;
		const { sandbox, credential } = n8n.account;
		const to = '+5511900100001';
		const workflow = chain('Ask', ask(credential, { to, ...yesOrNo }), reply(credential, to));
		const id = await client.publish(startedByPost('ask', 'onReceived', workflow));
		await n8n.post('ask');
		const execution = await client.newest(id);
		await client.untilItWaits(execution);
		const [link = ''] = linksTo(sandbox, to);
		const [first, second] = urls;
		expect(link.startsWith(`${first}/webhook-waiting/`)).toBe(true);
		expect((await answer(link.replace(first, second), 'approve')).title).toContain(
			'Answer recorded',
		);
		expect((await client.waitForExecution(execution)).status).toBe('success');
		expect(cameOut(sandbox, to)).toMatchObject([{ data: { approved: true }, sent: { to } }]);
		const starts = n8n.workers
			.flatMap((worker) => worker.logs().split('\n'))
			.filter((line) => line.includes(`started execution ${execution} `));
		expect(starts).toHaveLength(2); // for the question, and for what comes after
	});

	it('an agent over MCP: a worker runs the tool, and the main process answers', async () => {
		const { sandbox, credential } = n8n.account;
		const { url, client } = n8n.main;
		const token = 'mcp-bearer-token-5d1f';
		const bearer = await client.createCredential({ token }, 'httpBearerAuth');
		const path = await publishServer(client, documentedTools, credential, bearer);
		const agent = await McpSession.connect(`${url}${path}`, token);
		const hello = { To: '+55 11 91234-5678', Text: 'Hello Ana' };
		const sent = await agent.call('Send_SMS', hello);
		expect(JSON.parse(sent.text)).toMatchObject([{ to: '+5511912345678' }]);
		sandbox.fault({ operation: 'sendSms', fault: { status: 502, accept: true } });
		const unknown = await agent.call('Send_SMS', hello);
		expect(unknown.isError).toBe(true);
		expect(unknown.text).toContain('treat it as sent until you know that it was not');
		expect(unknown.text).not.toMatch(/again|retry|later/i);
		expect(sandbox.requests()).toHaveLength(2);
		await agent.close();
	});

	it('Retry goes on, on a worker that knows nothing of it, where one stopped', async () => {
		const { sandbox } = n8n.account;
		const credential = await n8n.account.credentialWith({ maxConcurrency: 1 });
		const { client } = n8n.main;
		const rows = numbered(20);
		sandbox.fault({ to: rows[10]!.to, times: 1, fault: { status: 400 } });
		const list = chain('List', ...items(...rows), smsToEach(credential));
		const id = await client.publish(startedByPost('list', 'onReceived', list));
		await n8n.post('list');
		const execution = await client.newest(id);
		expect((await client.waitForExecution(execution)).status).toBe('error');
		expect(sandbox.accepted()).toHaveLength(10);

		const [worker] = n8n.workers;
		await worker!.kill();
		await worker!.restart();
		const retried = await client.waitForExecution(await client.retry(execution));
		expect(retried.status).toBe('success');
		expect(n8n.workerOf(retried.id)).toBeDefined();
		expect(rows.map((row) => sandbox.timesAccepted(row))).toEqual(rows.map(() => 1));
		expect(outputOf(retried, 'Gateway').map(({ json }) => json)).toMatchObject(rows);
	});
});
