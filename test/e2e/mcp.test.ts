/** The node as a tool of n8n's MCP Server Trigger: the real n8n, and the official client library. */
import { SEEDS } from '../../tools/sandbox';
import { documentedTools, otherTools, publishServer } from './mcp/server';
import { McpSession, type Said } from './mcp/session';
import { useHost } from './sharedHost';

const token = 'mcp-bearer-token-5d1f';
const customer = '+5511912345678';
const hello = { To: '+55 11 91234-5678', Text: 'Hello Ana' };
const invitation = /again|retry|later|offline/i;

const host = useHost();
let agent: McpSession;
let others: McpSession;

beforeAll(async () => {
	const { client, url, credential } = host;
	const bearer = await client.createCredential({ token }, 'httpBearerAuth');
	const publish = async (tools: typeof otherTools) =>
		url + (await publishServer(client, tools, credential, bearer));
	agent = await McpSession.connect(await publish(documentedTools), token);
	others = await McpSession.connect(await publish(otherTools), token);
});
afterAll(async () => {
	await agent.close();
	await others.close();
});

/** Nothing but what was said to it, and how to go on, may reach an agent. */
function expectClean({ text }: Said): void {
	const { apiKey, instanceToken } = host.sandbox.credential;
	for (const secret of [apiKey, instanceToken, token]) expect(text).not.toContain(secret);
	expect(text).not.toMatch(/\n\s+at |\.js:\d/);
}

function expectDoubt(said: Said): void {
	expectClean(said);
	expect(said.text).toContain('may have been sent');
	expect(said.text).toContain('treat it as sent until you know that it was not');
	expect(said.text).not.toMatch(invitation);
}

it('lists the tools, with the parameters that the model fills', async () => {
	const tools = await agent.tools();
	const described = tools.map(({ name, description }) => ({ name, description }));
	const documented = documentedTools.map(({ name, description }) => [name, description]);
	expect(described.reverse()).toEqual(
		documented.map(([name, description]) => ({ name: name!.replaceAll(' ', '_'), description })),
	);
	const sendSms = tools.find(({ name }) => name === 'Send_SMS');
	expect(sendSms?.inputSchema).toMatchObject({
		type: 'object',
		properties: {
			To: { type: 'string', description: expect.stringContaining('with country code') },
			Text: { type: 'string', description: expect.stringContaining('plain text') },
		},
		required: ['To', 'Text'],
	});
});

it('says of a 502 that the message may have been sent, and sends no second one', async () => {
	host.sandbox.fault({ operation: 'sendSms', fault: { status: 502, accept: true } });
	const said = await agent.call('Send_SMS', hello);
	expectDoubt(said);
	expect(said.isError).toBe(true);
	expect(host.sandbox.requests()).toHaveLength(1);
	expect(host.sandbox.timesAccepted({ to: customer })).toBe(1);

	const looked = await agent.call('Get_Campaign', { Campaign_ID: SEEDS.campaigns.sms.running });
	expectClean(looked);
	expect(JSON.parse(looked.text)).toMatchObject([
		{ campaignId: SEEDS.campaigns.sms.running, messages: [{ to: customer }] },
	]);
});

it('keeps an agent that calls again all the same from sending twice', async () => {
	const order = { ...hello, Text: 'Your order was shipped', Order_Number: '1043' };
	host.sandbox.fault({ operation: 'sendSms', fault: { status: 502, accept: true } });
	expectDoubt(await agent.call('Tell_That_Order_Was_Shipped', order));
	const said = await agent.call('Tell_That_Order_Was_Shipped', order);
	expectDoubt(said);
	expect(said.text).toContain('Nothing was sent this time');
	expect(host.sandbox.requests()).toHaveLength(1);
});

it('with the session as a part of the key, the same text goes out once per session', async () => {
	expect((await others.call('Once_per_session', hello)).isError).toBe(false);
	expect((await others.call('Once_per_session', hello)).text).toContain('"skipped":true');
	await others.call('Once_per_session', { ...hello, Text: 'Good bye' });
	expect(host.sandbox.accepted().map(({ text }) => text)).toEqual(['Hello Ana', 'Good bye']);
});

it('the execution is no key here, where it is the same for all calls', async () => {
	const said = await others.call('Execution', hello);
	expectClean(said);
	expect(said.isError).toBe(true);
	expect(said.text).toContain('A part of the deduplication key has no value');
	expect(host.sandbox.requests()).toEqual([]);
});
