/** n8n's Retry of an agent's execution, after every end: no message of its tool is sent twice. */
import { fetchOnce, type CredentialReference } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { chain, node, startedByPost } from '../../tools/shared/workflows';
import { startModel, type StubModel } from '../e2e/agent/model';
import { connectBelow, connectModel, fromAi, tool } from '../e2e/agent/tools';
import { startOne, type N8n } from './retry/n8n';

const people = ['5511900000001', '5511900000002', '5511900000003'];

let n8n: N8n;
let sandbox: Sandbox;
let model: StubModel;
let credential: CredentialReference;
let openAi: CredentialReference;
/** How often the model answers before it fails. */
let answers = Infinity;

beforeAll(async () => {
	n8n = await startOne();
	sandbox = await startSandbox();
	model = await startModel(() => {
		if (answers-- <= 0) throw new Error('The model fails');
		return people.map((To) => ({ To, Text: 'Hello' }));
	});
	credential = await n8n.client.createCredential(sandbox.credential);
	openAi = await n8n.client.createCredential(model.credential, 'openAiApi');
});
beforeEach(() => {
	sandbox.reset();
	answers = Infinity;
});
afterAll(async () => {
	await n8n?.remove();
	await model?.close();
	await sandbox?.close();
});

let begun = 0;

interface How {
	savesProgress?: boolean;
	isKeyed?: boolean;
}

/** Begins an agent that sends to all people one by one. */
async function begin({ savesProgress = false, isKeyed = false }: How = {}): Promise<string> {
	const agent = node(
		'Agent',
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text: 'Say hello', options: {} },
		{ typeVersion: 3 },
	);
	const path = `agent-${++begun}`;
	const workflow = startedByPost(path, 'onReceived', chain('Agent', agent));
	workflow.settings = { executionOrder: 'v1', saveExecutionProgress: savesProgress };
	connectModel(workflow, 'Agent', openAi);
	const to = fromAi('To', 'Phone number with country code');
	const text = fromAi('Text', 'The SMS');
	const options = isKeyed ? { deduplicationKey: '={{ $parameter.to }}' } : {};
	const parameters = { resource: 'message', operation: 'sendSms', to, text, options };
	connectBelow(workflow, 'Agent', 'ai_tool', tool('Send SMS', credential, parameters));
	const { client, url } = n8n;
	const id = await client.createWorkflow(workflow);
	expect((await client.activate(id)).status).toBe('published');
	const post = async () => await fetchOnce(`${url}/webhook/${path}`, { method: 'POST' });
	await until('its webhook is there', async () => (await post()).ok);
	return (await until('it has begun', async () => (await client.executions(id))[0])).id;
}

/** @returns what the tool said to each call */
async function retry(id: string): Promise<string[]> {
	model.asked.length = 0;
	await n8n.client.waitForExecution(await n8n.client.retry(id));
	const { messages = [] } = model.asked.at(-1) ?? {};
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

/** How many requests there were for each person. */
const sent = () => people.map((to) => sandbox.requests({ to }).length);

const inDoubt = expect.stringContaining('may have been sent') as string;
const answered = expect.stringContaining('messageId') as string;

describe.each<[string, (id: string) => Promise<void>]>([
	['killed', async () => (await n8n.kill(), await n8n.start())],
	[
		'killed, its event log gone',
		async () => (await n8n.kill(), await n8n.forgetEvents(), await n8n.start()),
	],
	['cut off by SIGTERM', async () => (await n8n.cutOff(), await n8n.start())],
	['stopped', async (id) => await n8n.client.cancel(id)],
])('%s while its second message is under way', (name, end) => {
	async function retried(how: How): Promise<string[]> {
		sandbox.fault({ to: people[1]!, fault: { delayMs: 3_600_000 } });
		const id = await begin(how);
		await until('it is half-way', () => sandbox.requests().length > 1);
		await end(id);
		await n8n.client.waitForExecution(id);
		sandbox.clearFaults();
		sandbox.hangUp();
		expect(sent()).toEqual([1, 1, 0]);
		return await retry(id);
	}

	// n8n ends the retry of an execution that was stopped after its first call.
	it('sends nothing without a key, and says so', async () => {
		const said = await retried({});
		const others = name === 'stopped' ? (expect.stringContaining('error') as string) : inDoubt;
		expect(said).toEqual([inDoubt, others, others]);
		expect(sent()).toEqual([1, 1, 0]);
	});

	it('where n8n saves its progress, has the answer of the first, and sends nothing more', async () => {
		const said = await retried({ savesProgress: true });
		expect(said).toEqual([answered, '""', inDoubt]); // n8n itself answers for the second
		expect(sent()).toEqual([1, 1, 0]);
	});

	it('with keys, sends what is missing', async () => {
		const said = await retried({ isKeyed: true });
		expect(said).toHaveLength(people.length);
		expect(sent()).toEqual(name === 'stopped' ? [1, 1, 0] : [1, 1, 1]);
	});
});

describe('once its model has failed', () => {
	it('goes on where it was, but not in a second retry', async () => {
		answers = 1;
		const id = await begin();
		await n8n.client.waitForExecution(id);
		expect(sent()).toEqual([1, 0, 0]);
		answers = 1;
		await retry(id);
		expect(sent()).toEqual([1, 1, 0]);
		answers = Infinity;
		const again = expect.stringContaining('has already been retried') as string;
		expect(await retry(id)).toEqual([answered, again, again]);
		expect(sent()).toEqual([1, 1, 0]);
	});
});
