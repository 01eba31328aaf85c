/** n8n's Retry of an agent's execution, after every end: no message of its tool is sent twice. */
import type { CredentialReference } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, startedByPost } from '../../tools/shared/workflows';
import { startModel, toolAnswers, type StubModel } from '../e2e/agent/model';
import { agent, connectSms } from '../e2e/agent/tools';
import { numbered } from '../e2e/support/workflows';
import { begin, restart, startOne, type N8n } from './retry/n8n';

const people = numbered(3).map(({ to }) => to);

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

/** An agent that sends to all people one by one begins. */
async function beginAgent({ savesProgress = false, isKeyed = false }: How = {}): Promise<string> {
	const path = `agent-${++begun}`;
	const workflow = startedByPost(path, 'onReceived', chain('Agent', agent('Say hello')));
	const options = isKeyed ? onceBy('hello', 'keyAndNumber') : {};
	connectSms(workflow, openAi, credential, { options });
	workflow.settings!.saveExecutionProgress = savesProgress;
	return await begin(n8n, await n8n.client.createWorkflow(workflow), path);
}

/** @returns what the tool said to each call */
async function retry(id: string): Promise<string[]> {
	model.asked.length = 0;
	await n8n.client.waitForExecution(await n8n.client.retry(id));
	return toolAnswers(model);
}

/** How many requests there were for each person. */
const sent = () => people.map((to) => sandbox.requests({ to }).length);

const inDoubt = expect.stringContaining('may have been sent') as string;
const answered = expect.stringContaining('messageId') as string;

describe.each<[string, (id: string) => Promise<void>]>([
	['killed', async () => await restart(n8n, 'kill')],
	['killed, its event log gone', async () => await restart(n8n, 'kill', 'forgetEvents')],
	['cut off by SIGTERM', async () => await restart(n8n, 'cutOff')],
	['stopped', async (id) => await n8n.client.cancel(id)],
])('%s while its second message is under way', (name, end) => {
	async function retried(how: How): Promise<string[]> {
		sandbox.fault({ to: people[1]!, fault: { delayMs: 3_600_000 } });
		const id = await beginAgent(how);
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
		// n8n runs the call under way again, or, if its event log tells of it, answers with nothing itself.
		const second = expect.stringMatching(/^""$|may have been sent/) as string;
		expect(said).toEqual([answered, second, inDoubt]);
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
		const id = await beginAgent();
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
