/** Tools of an MCP Server Trigger in queue mode: a worker runs them, and n8n's main process answers. */
import { startQueueMode, type QueueMode } from '../../../host/queue';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { documentedTools, publishServer } from '../mcp/server';
import { McpSession } from '../mcp/session';
import { describeInQueueMode } from './describe';

const token = 'mcp-bearer-token-5d1f';
const hello = { To: '+55 11 91234-5678', Text: 'Hello Ana' };

describeInQueueMode('an agent over MCP', () => {
	let n8n: QueueMode;
	let sandbox: Sandbox;
	let agent: McpSession;

	beforeAll(async () => {
		n8n = await startQueueMode();
		const { url, client } = n8n.main;
		sandbox = await startSandbox();
		const credential = await client.createCredential(sandbox.credential);
		const bearer = await client.createCredential({ token }, 'httpBearerAuth');
		const { path } = await publishServer(client, documentedTools, credential, bearer);
		agent = await McpSession.connect(`${url}${path}`, token);
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await agent?.close();
		await sandbox?.close();
		await n8n?.stop();
	});

	it('sends once', async () => {
		const said = await agent.call('Send_SMS', hello);
		expect(said.isError).toBe(false);
		expect(JSON.parse(said.text)).toMatchObject([{ to: '5511912345678' }]);
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('is told what to correct about a wrong number', async () => {
		const said = await agent.call('Send_SMS', { ...hello, To: 'Ana' });
		expect(said.isError).toBe(true);
		expect(said.text).toContain(
			"'To' is not a phone number: 'Ana'. Enter one number with its country code",
		);
		expect(sandbox.requests()).toEqual([]);
	});

	it('is told that a message may have been sent, and how to find out', async () => {
		sandbox.fault({ operation: 'sendSms', fault: { status: 502, accept: true } });
		const said = await agent.call('Send_SMS', hello);
		expect(said.isError).toBe(true);
		expect(said.text).toContain('may have been sent');
		expect(said.text).toContain('count it as sent until you know that it was not');
		expect(said.text).not.toMatch(/again|retry|later/i);
		expect(sandbox.requests()).toHaveLength(1);
	});

	it('sends the same order once, however often it is called', async () => {
		const order = { ...hello, Order_Number: '1042' };
		await agent.call('Tell_That_Order_Was_Shipped', order);
		const said = await agent.call('Tell_That_Order_Was_Shipped', order);
		expect(said.text).toContain('"skipped":true');
		expect(sandbox.requests()).toHaveLength(1);
	});
});
