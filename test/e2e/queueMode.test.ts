/**
 * The main process publishes, two webhook processes take deliveries and answers, two workers execute.
 * What survives a kill in the middle of all this is in test/nightly/queueMode.
 */
import { fetchOnce, outputOf, type WorkflowJson } from '../../tools/host';
import { prepareExample } from '../../tools/host/examples';
import { startQueueMode, type QueueMode, type QueueProcess } from '../../tools/host/queue';
import { until } from '../../tools/host/until';
import { testEnvironment } from './environment';
import { documentedTools, publishServer } from './mcp/server';
import { McpSession } from './mcp/session';
import { publishContactList } from './queueMode/contactLists';
import { describeInQueueMode } from './queueMode/describe';
import { keyStores, publishKeyStore } from './queueMode/keyStores';
import { Account } from './trigger/account';
import { TriggerWorkflow } from './trigger/triggerWorkflow';
import { answer, ask, cameOut, linksTo, reply, yesOrNo } from './wait/question';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items, node, startedByPost } from '../../tools/shared/workflows';

describeInQueueMode('several processes', () => {
	let n8n: QueueMode;
	let webhooks: [QueueProcess, QueueProcess];
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode({ webhooks: 2, env: testEnvironment });
		webhooks = n8n.webhooks as typeof webhooks;
		account = await Account.open(n8n.main.client);
	});
	beforeEach(() => account.sandbox.reset());
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	const publish = async (workflow: WorkflowJson) => {
		const id = await n8n.main.client.createWorkflow(workflow);
		expect((await n8n.main.client.activate(id)).status).toBe('published');
		return id;
	};
	const post = async (path: string, body: object = {}) =>
		await fetchOnce(`${webhooks[0].url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	/** The only execution of a workflow, once it is there. */
	const executionOf = async (workflowId: string) => {
		const all = async () => await n8n.main.client.executions(workflowId);
		await until('it is there', async () => (await all()).length === 1);
		return (await all())[0]!.id;
	};
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

	it.each(keyStores)('of two orders at the same moment, one is sent: $name', async (keyStore) => {
		const { type } = keyStore;
		const { client } = n8n.main;
		const { rules } = await publishKeyStore(client, keyStore, n8n.credentials[type]);
		const credential = await account.credentialWith(rules);
		const to = '={{ $json.body.to }}';
		const parameters = { to, text: 'Hello', options: onceBy(to) };
		const send = gateway(credential, 'message', 'sendSms', parameters);
		await publish(startedByPost(`once-${type}`, 'lastNode', chain('Once', send)));
		const numbers = Array.from({ length: 10 }, (_, index) => String(5511900100000 + index));
		const order = async (to: string) => await (await post(`once-${type}`, { to })).text();
		const answers = await Promise.all([...numbers, ...numbers].map(order));
		expect(answers.filter((text) => text.includes('"messageId"'))).toHaveLength(numbers.length);
		for (const to of numbers) {
			expect(await order(to)).toContain('"skipped":true');
			expect(account.sandbox.timesAccepted({ to })).toBe(1);
		}
	});

	it('who wrote STOP gets no more: PostgreSQL', async () => {
		const { client } = n8n.main;
		const postgres = await client.createCredential(n8n.credentials.postgres, 'postgres');
		const credentials = { postgres, messagingGatewayApi: account.credential };
		const file = 'do-not-contact-postgresql';
		const { stop, rules } = await publishContactList(client, webhooks[0].url, file, credentials);
		const credential = await account.credentialWith(rules);
		const to = '={{ $json.body.to }}';
		const send = gateway(credential, 'message', 'sendSms', { to, text: 'Hello' });
		await publish(startedByPost('news', 'lastNode', chain('News', send)));
		const [number, other, byHand] = ['5511900100001', '5511900100002', '5511900100003'] as const;
		const news = async (person: string) => await (await post('news', { to: person })).text();
		const inDatabase = async (query: string) => {
			const parameters = { operation: 'executeQuery', query, options: {} };
			const more = { typeVersion: 2.6, credentials: { postgres } };
			const asks = node('Database', 'n8n-nodes-base.postgres', parameters, more);
			return outputOf(await client.execute(chain('Database', asks)), 'Database');
		};
		const listed = async () =>
			(await inDatabase('SELECT number, "to", source, words FROM do_not_contact ORDER BY 1')).map(
				({ json }) => Object.values(json).join(' | '),
			);

		expect(await news(number)).toContain('"messageId"');
		expect(await stop('+55 (11) 90010-0001')).toBe(200);
		expect(await stop('+55 (11) 90010-0001')).toBe(200);
		expect(await stop('hello')).toBe(200);
		await inDatabase("INSERT INTO do_not_contact (number) VALUES ('0055 11 90010.0003'), ('Ana')");
		for (const person of [number, byHand]) {
			expect(await news(person)).toContain('"reason":"doNotContact"');
		}
		expect(await news(other)).toContain('"messageId"');
		expect(await listed()).toEqual([
			`+55 (11) 90010-0001 | ${number} | form | `,
			`0055 11 90010.0003 | ${byHand} |  | `,
			'Ana | to review |  | ',
			'hello | to review | form | ',
		]);

		const replies = await prepareExample(client, 'stop-by-reply-postgresql', credentials);
		const id = await publish(replies);
		await account.deliver([
			{ from: `${other}@example`, text: ' Párar!' },
			{ from: number, text: 'Voltar.' },
			{ from: byHand, text: 'START' }, // whom the office entered stays on the list
			{ from: '90010-0009', text: 'baja' },
		]);
		await client.waitForExecution(await executionOf(id));
		expect(await listed()).toEqual([
			`0055 11 90010.0003 | ${byHand} |  | `,
			`${other}@example | ${other} | reply |  Párar!`,
			'90010-0009 | to review | reply | baja',
			'Ana | to review |  | ',
			'hello | to review | form | ',
		]);
		expect(await news(other)).toContain('"reason":"doNotContact"');
		expect(await news(number)).toContain('"messageId"');
		await client.deactivate(id);
		expect(account.sandbox.accepted()).toHaveLength(3);
	});

	it('a worker asks, any webhook process takes the answer, and a worker goes on', async () => {
		const { sandbox, credential } = account;
		const to = '5511900100001';
		const question = ask(credential, { to, ...yesOrNo });
		const workflow = chain('Ask', question, reply(credential, to));
		const id = await publish(startedByPost('ask', 'onReceived', workflow));
		await post('ask');
		const execution = await executionOf(id);
		await n8n.main.client.untilItWaits(execution);
		const [link = ''] = linksTo(sandbox, to);
		const [first, second] = webhooks;
		expect(link.startsWith(`${first.url}/webhook-waiting/`)).toBe(true);
		const page = await answer(link.replace(first.url, second.url), 'approve');
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

	it('Retry goes on, on another worker, where one stopped', async () => {
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

		const worker = workerOf(execution)!;
		await worker.kill();
		const retried = await client.waitForExecution(await client.retry(execution));
		expect(retried.status).toBe('success');
		expect(workerOf(retried.id)).not.toBe(worker);
		expect(rows.map(({ to }) => sandbox.timesAccepted({ to }))).toEqual(rows.map(() => 1));
		const output = outputOf(retried, 'Gateway').map(({ json }) => json);
		expect(output).toMatchObject(rows);
		expect(output.slice(0, 10)).toMatchObject(before.map(({ messageId }) => ({ messageId })));
		await worker.restart(); // for the other tests, whatever their order
	});
});
